from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "payments"

    def ready(self) -> None:
        """What is to be paid follows the cart, and shows with it."""
        from carts import followers  # noqa: PLC0415 - models cannot be imported before the apps are ready
        from carts.api.serializers import CartSerializer  # noqa: PLC0415
        from payments import opening  # noqa: PLC0415
        from payments.api.serializers import PAYMENT_COLLECTION_OF_CART  # noqa: PLC0415

        CartSerializer.enter_relation(
            "payment_collection",
            PAYMENT_COLLECTION_OF_CART,
            defaults="*payment_collection,*payment_collection.payment_sessions",
        )
        followers.enter(followers.Follower(rank=followers.PAYMENT_COLLECTION, follow=opening.follow))
