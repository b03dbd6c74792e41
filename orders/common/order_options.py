"""The shipping options for an order."""

from collections.abc import Collection, Sequence

from carts.pricing.cart_context import CartContext
from carts.pricing.shippable_lines import CartContents
from fulfillment.options.available_options import AvailableOption, available_options
from orders.common.order_context import order_goods


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
