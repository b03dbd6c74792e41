"""The shipping options for an order, and their prices."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import NamedTuple

from carts.pricing.cart_context import CartContext
from carts.pricing.shippable_lines import CartContents
from catalog.prices.price_context import PriceContext
from fulfillment.options.available_options import AvailableOption, available_options
from kit.errors import InvalidData
from kit.values.money import exact, stored
from orders.common.order_context import order_goods


class MethodPrice(NamedTuple):
    """amount: in 1/10,000. is_tax_inclusive: whether that includes taxes."""

    amount: int
    is_tax_inclusive: bool


def options_of_order(
    context: CartContext, *, among: Collection[str] | None = None, for_staff: bool = True
) -> Sequence[AvailableOption]:
    """The options that serve the order's address, for goods of any profile.

    among, for_staff: as `available_options` takes them.
    """
    contents = CartContents([], profiles=None, goods_total=order_goods(context.cart_id))
    return available_options(
        context, context.totals, contents=contents, among=among, with_stock=False, for_staff=for_staff
    ).options


def price_of(
    option: AvailableOption, custom: Decimal | None, context: PriceContext, currency_code: str
) -> MethodPrice | None:
    """The custom amount, in major units, or else the option's own price; None without either.

    A custom amount is stated with tax as the option's price is, or else the currency's prices.
    Raises InvalidData (custom_amount).
    """
    price = option.price
    is_tax_inclusive = context.currency_is_tax_inclusive if price is None else price.is_tax_inclusive
    if custom is None:
        return None if price is None else MethodPrice(price.amount, is_tax_inclusive)
    amount = stored(exact(custom, currency_code, field="custom_amount"))
    if amount < 0:
        raise InvalidData("Value for field 'custom_amount' too small: it must be at least 0")
    return MethodPrice(amount, is_tax_inclusive)
