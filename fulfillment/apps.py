from django.apps import AppConfig


class FulfillmentConfig(AppConfig):
    name = "fulfillment"

    def ready(self) -> None:
        """With each change of a cart, the ways of shipping that it has chosen change too."""
        from carts import followers  # noqa: PLC0415 - models come once all apps are known
        from fulfillment.method_settling import settle  # noqa: PLC0415 - it stands on models too

        followers.enter(followers.Follower(rank=followers.SHIPPING_METHODS, follow=settle))
