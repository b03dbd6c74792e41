"""The route that lists ways of shipping, and what of its answers is compared."""

from typing import Any

from carts.models import Cart
from tests.contract.callers import Caller

PATH = "/store/shipping-options"
NEW_YORK = {"country_code": "us", "province": "ny", "city": "New York", "postal_code": "10001"}


def names(caller: Caller, cart: Cart, query: str = "") -> list[str]:
    """Of what the cart is shown, in the alphabet's order."""
    response = caller.get(PATH, f"cart_id={cart.pk}&{query}")
    assert response.status_code == 200, response.content
    return sorted(each["name"] for each in response.json()["shipping_options"])


def only(caller: Caller, cart: Cart, query: str = "") -> dict[str, Any]:
    (shown,) = caller.get(PATH, f"cart_id={cart.pk}&{query}").json()["shipping_options"]
    return dict(shown)
