"""How a cart is shipped, held by the app that knows the ways. It says when it follows what each costs then."""

from carts.cart_rows import NO_TOTALS, ShippingMethodRow
from carts.open_cart import OpenCart
from commerce.kit.core.ids import new_id
from commerce.kit.core.metadata import Metadata


def add(
    cart: OpenCart,
    *,
    shipping_option_id: str,
    name: str,
    amount: int,
    is_tax_inclusive: bool,
    data: Metadata | None = None,
    description: str | None = None,
) -> ShippingMethodRow:
    """Hold a new method. amount: in 1/10,000 of the cart's currency. data: what the option's provider is to know."""
    method = ShippingMethodRow(
        new_id("casm"),
        *NO_TOTALS,
        shipping_option_id=shipping_option_id,
        name=name,
        amount=amount,
        is_tax_inclusive=is_tax_inclusive,
        data=data,
        constants={"cart_id": cart.id, "description": description, "data": data, "metadata": None},
    )
    cart.methods.append(method)
    return method


def remove(cart: OpenCart, method: ShippingMethodRow) -> None:
    """Hold the cart without the method."""
    cart.methods.remove(method)
    if not method.is_new:
        cart.removed_methods.append(method)
