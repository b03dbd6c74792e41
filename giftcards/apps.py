from django.apps import AppConfig


class GiftCardsConfig(AppConfig):
    name = "giftcards"

    def ready(self) -> None:
        """What gift cards and store credit pay of a cart follows the cart; customers lead to their store credit."""
        from carts import followers  # noqa: PLC0415 - models cannot be imported before the apps are ready
        from customers.api.serializers import CustomerSerializer  # noqa: PLC0415
        from giftcards import cart_credit  # noqa: PLC0415
        from giftcards.api.serializers.accounts import STORE_CREDIT_ACCOUNTS_OF_CUSTOMER  # noqa: PLC0415

        followers.enter(followers.Follower(rank=followers.CREDIT_LINES, follow=cart_credit.follow))
        CustomerSerializer.enter_relation("store_credit_accounts", STORE_CREDIT_ACCOUNTS_OF_CUSTOMER)
