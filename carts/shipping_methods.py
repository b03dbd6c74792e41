"""How a cart is shipped, held by the app that knows the ways. It says when it follows what each costs then."""

from collections.abc import Mapping
from typing import Any

from carts.held_rows import Held
from carts.open_cart import METHOD, METHOD_FACTS, OpenCart
from commerce.kit.core.ids import new_id


def put(
    cart: OpenCart,
    *,
    shipping_option_id: str,
    name: str,
    amount: int,
    is_tax_inclusive: bool,
    data: Mapping[str, Any] | None = None,
    description: str | None = None,
) -> Held:
    """Hold a new method. amount: in 1/10,000 of the cart's currency. data: what the option's provider is to know."""
    known = {"cart_id": cart.id, "description": description, "data": data, "metadata": None}
    said = {
        "id": new_id("casm"),
        "shipping_option_id": shipping_option_id,
        "name": name,
        "amount": amount,
        "is_tax_inclusive": is_tax_inclusive,
    }
    method = Held({**dict.fromkeys(METHOD, 0), **said, **known}, facts=dict.fromkeys(METHOD_FACTS))
    method.facts["data"] = data
    cart.methods.append(method)
    return method


def take_out(cart: OpenCart, method: Held) -> None:
    """Hold the cart without the method."""
    cart.methods.remove(method)
    if not method.is_new:
        cart.removed_methods.append(method)
