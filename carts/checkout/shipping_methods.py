"""The shipping methods of a locked cart. The app above sets their prices in its cart step."""

from carts.pricing.cart_rows import NO_TOTALS, ShippingMethodRow
from carts.pricing.locked_cart import LockedCart
from kit.values.ids import new_id
from kit.values.metadata import Metadata


def add(
    cart: LockedCart,
    *,
    shipping_option_id: str,
    name: str,
    amount: int,
    is_tax_inclusive: bool,
    data: Metadata | None = None,
    description: str | None = None,
    metadata: Metadata | None = None,
    is_custom_amount: bool = False,
    method_id: str | None = None,
) -> ShippingMethodRow:
    """Add a new method. amount: in 1/10,000 of the cart's currency. data: for the option's provider.

    is_custom_amount: whether it keeps that amount. method_id: the id that it gets.
    """
    method = ShippingMethodRow(
        method_id or new_id("casm"),
        *NO_TOTALS,
        shipping_option_id=shipping_option_id,
        name=name,
        amount=amount,
        is_tax_inclusive=is_tax_inclusive,
        is_custom_amount=is_custom_amount,
        data=data,
        constants={"cart_id": cart.id, "description": description, "data": data, "metadata": metadata},
    )
    cart.methods.append(method)
    return method


def remove(cart: LockedCart, method: ShippingMethodRow) -> None:
    """Remove the method from the locked cart."""
    cart.methods.remove(method)
    if not method.is_new:
        cart.removed_methods.append(method)
