"""How many units of an order can still be returned.

Why: docs/decisions/returns.md#units-are-returnable-once-after-delivery.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db.models import Max, Q

from kit.domain.actor import Actor
from kit.values.timestamps import now
from orders.fulfillments.errors import DuplicateItem, ItemsNotInOrder, QuantityTooSmall
from orders.fulfillments.locked_lines import Line, LockedLines
from orders.fulfillments.status import arrived
from orders.models import FulfillmentItem
from orders.returns.errors import GiftCardLine, TooManyToReturn, WindowClosed


def returnable_units(line: Line, *, sent: int | None = None) -> int:
    """Units that were delivered (or shipped, by settings.RETURN_AFTER), and neither returned nor requested.

    Lost units that a claim has written off leave the delivered ones returnable.
    sent: units that were shipped, or picked up without shipment; by default estimated from the line's counters, which
        do not show how many units were both shipped and delivered.
    """
    reached = max(line.delivered_quantity, line.shipped_quantity) if sent is None else sent
    if settings.RETURN_AFTER == "delivered":
        reached = arrived(line.delivered_quantity, reached, line.written_off_quantity)
    return max(reached - line.returned - line.return_requested_quantity, 0)


def sent_of(lines: Collection[Line]) -> Mapping[str, int]:
    """What `returnable_units` asks about the lines. One statement, none if nothing depends on it."""
    if settings.RETURN_AFTER == "shipped" or any(line.written_off_quantity for line in lines):
        return sent_units(line.id for line in lines)
    return {}


def sent_units(line_ids: Iterable[str]) -> Mapping[str, int]:
    """Units by line that were shipped, or picked up without shipment. One statement."""
    left = Q(fulfillment__shipped_at__isnull=False) | Q(fulfillment__delivered_at__isnull=False)
    items = FulfillmentItem.objects.filter(left, line_item__in=line_ids, fulfillment__canceled_at=None)
    sent: dict[str, int] = defaultdict(int)
    for line_id, _, units in items.values_list("line_item", "fulfillment", "units").distinct():  # a row for each piece
        sent[line_id] += units
    return sent


def counted(items: list[tuple[str, int]]) -> Mapping[str, int]:
    """Units by line. items: line and quantity. Raises DuplicateItem, QuantityTooSmall."""
    units: dict[str, int] = {}
    for line_id, quantity in items:
        if line_id in units:
            raise DuplicateItem(line_id)
        if quantity < 1:
            raise QuantityTooSmall
        units[line_id] = quantity
    return units


def check_returnable(order: LockedLines, units: Mapping[str, int], *, actor: Actor) -> None:
    """Raise ItemsNotInOrder, GiftCardLine, TooManyToReturn, and WindowClosed for callers who are not staff.

    units: by line. One statement for the window, if there is one, and one if shipped units can be returned or were
    written off.
    """
    if unknown := [line_id for line_id in units if line_id not in order.lines]:
        raise ItemsNotInOrder(unknown, order.row.pk)
    sent = sent_of([order.lines[line_id] for line_id in units])
    for line_id, wanted in units.items():
        line = order.lines[line_id]
        if line.is_giftcard:
            raise GiftCardLine(_shown(line))
        if wanted > (left := returnable_units(line, sent=sent.get(line_id, 0))):
            raise TooManyToReturn(_shown(line), settings.RETURN_AFTER, left)
    if settings.RETURN_WINDOW_DAYS and not actor.is_trusted:
        _check_window(order, units)


def _check_window(order: LockedLines, units: Mapping[str, int]) -> None:
    """Raise WindowClosed. The window of a line begins with its latest delivery, or shipment if nothing is delivered."""
    since = now() - timedelta(days=settings.RETURN_WINDOW_DAYS)
    of_lines = FulfillmentItem.objects.filter(line_item__in=units, fulfillment__canceled_at=None).order_by()
    moments = of_lines.values("line_item").annotate(
        delivered=Max("fulfillment__delivered_at"), shipped=Max("fulfillment__shipped_at")
    )
    reached = {row["line_item"]: row["delivered"] or row["shipped"] for row in moments}
    for line_id in units:
        if reached[line_id] < since:
            raise WindowClosed(_shown(order.lines[line_id]), settings.RETURN_WINDOW_DAYS)


def _shown(line: Line) -> str:
    """The line as refusals name it: the id for programs, the title for customers."""
    return f"{line.id} - {line.name}"
