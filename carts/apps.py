from django.apps import AppConfig


class CartsConfig(AppConfig):
    name = "carts"

    def ready(self) -> None:
        """A cart says for whom the catalogue's prices are, where a request names neither region nor currency."""
        from carts.cart_context import price_context_of  # noqa: PLC0415 - models come once all apps are known
        from catalog import price_parameters  # noqa: PLC0415 - it stands on models too

        price_parameters.enter(
            price_parameters.Source(
                rank=10,
                parameters={"cart_id": "The cart whose region, address and customer the prices are for."},
                find=price_context_of,
            )
        )
