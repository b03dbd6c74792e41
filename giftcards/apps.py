from django.apps import AppConfig


class GiftCardsConfig(AppConfig):
    name = "giftcards"

    def ready(self) -> None:
        """What gift cards and store credit pay of a cart follows the cart."""
        from carts import followers  # noqa: PLC0415 - models cannot be imported before the apps are ready
        from giftcards import cart_credit  # noqa: PLC0415

        followers.enter(followers.Follower(rank=followers.CREDIT_LINES, follow=cart_credit.follow))
