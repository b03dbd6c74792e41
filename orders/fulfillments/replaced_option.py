"""Which options can replace the order's own for a fulfillment."""

from carts.details.addresses import Address, checked_address
from carts.pricing.destination import Destination
from carts.pricing.shippable_lines import CartContents
from fulfillment.options.available_options import available_options
from orders.common.order_context import order_context, order_goods
from orders.fulfillments.errors import OptionNotForDelivery, OptionOfOtherLocation
from orders.fulfillments.shipping_option import ChosenOption, is_of_order


def check_replacement(order_id: str, option: ChosenOption, *, location_id: str | None, address: Address | None) -> None:
    """Raise OptionOfOtherLocation or OptionNotForDelivery for a named option that cannot ship the items.

    An option that the order was placed with passes: its items may be reserved at several locations.
    location_id: where the items are taken from. address: replaces the order's. At most seven statements.
    """
    if is_of_order(order_id, option.id):
        return
    home = option.service_zone__fulfillment_set__location_id
    if location_id is not None and home is not None and home != location_id:
        raise OptionOfOtherLocation(option.id, home, location_id)
    if not _delivers(order_id, option.id, address):
        raise OptionNotForDelivery(option.id)


def _delivers(order_id: str, option_id: str, address: Address | None) -> bool:
    """Whether staff may choose it for deliveries to that address. Its profile has been checked for the items."""
    context = order_context(order_id)
    if address is not None:
        columns = checked_address(address, "delivery_address")
        context = context._replace(destination=Destination._make(columns[name] for name in Destination._fields))
    found = available_options(
        context,
        context.totals,
        contents=CartContents([], profiles=None, goods_total=order_goods(context.cart_id)),
        among=[option_id],
        with_stock=False,
        for_staff=True,
    ).find(option_id)
    return found is not None and found.for_delivery
