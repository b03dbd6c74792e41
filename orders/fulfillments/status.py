"""The fulfillment status of an order, from the counters of its lines. No database.

Why: docs/decisions/fulfillments.md#the-fulfillment-status-counts-units-of-lines,
docs/decisions/fulfillments.md#delivered-units-need-no-shipment.
"""

from collections.abc import Collection
from typing import NamedTuple

from orders.states import FulfillmentStatus


class LineProgress(NamedTuple):
    """The counters of a line, in units. returned: received or dismissed. written_off: of these, by claims."""

    quantity: int
    fulfilled: int
    shipped: int
    delivered: int
    returned: int
    requires_shipping: bool
    written_off: int = 0


def arrived(delivered: int, sent: int, written_off: int) -> int:
    """The units that are no longer on their way: of those that were not delivered, written off ones are taken as lost.

    Why: docs/decisions/order-changes.md#claimed-units-come-back-or-are-written-off.
    """
    return delivered + min(written_off, max(sent - delivered, 0))


def fulfillment_status(lines: Collection[LineProgress], *, is_canceled: bool = False) -> FulfillmentStatus:
    """The furthest step that any unit has reached, and whether all have.

    A line without shipping counts as shipped and delivered once it is fulfilled.
    """
    if is_canceled:
        return FulfillmentStatus.CANCELED
    if any(line.delivered for line in lines):
        return _DELIVERED[all(_have_all_left(line, _arrived(line)) for line in lines)]
    if any(line.shipped for line in lines):
        return _SHIPPED[all(_have_all_left(line, line.shipped) for line in lines)]
    if any(line.fulfilled for line in lines):
        return _FULFILLED[all(line.fulfilled >= line.quantity for line in lines)]
    return FulfillmentStatus.NOT_FULFILLED


def _arrived(line: LineProgress) -> int:
    return arrived(line.delivered, line.shipped, line.written_off)


def _have_all_left(line: LineProgress, units: int) -> bool:
    """Whether the units are all that leave. Units that were returned before they were shipped never leave."""
    if not line.requires_shipping:
        return line.fulfilled >= line.quantity
    stayed = max(line.returned - max(line.shipped, line.delivered), 0)
    return units >= line.quantity - stayed


_DELIVERED = (FulfillmentStatus.PARTIALLY_DELIVERED, FulfillmentStatus.DELIVERED)
_SHIPPED = (FulfillmentStatus.PARTIALLY_SHIPPED, FulfillmentStatus.SHIPPED)
_FULFILLED = (FulfillmentStatus.PARTIALLY_FULFILLED, FulfillmentStatus.FULFILLED)
