from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "payments"

    def ready(self) -> None:
        """What is to be paid follows the cart."""
        from carts import followers  # noqa: PLC0415 - models cannot be imported before the apps are ready
        from payments import opening  # noqa: PLC0415

        followers.enter(followers.Follower(rank=followers.PAYMENT_COLLECTION, follow=opening.follow))
