"""Restocking the pieces of received units."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import QuerySet

from catalog.stock import stock_deduction
from catalog.stock.errors import InventoryLevelNotFound
from kit.domain.actor import Actor
from kit.reads.sql.keyed_rows import KeyedRows
from orders.models import FulfillmentItem
from orders.returns.errors import NotStockedThere, RestockLocationRequired
from orders.returns.locked_return import LockedReturn


def restock(opened: LockedReturn, received: Mapping[str, int], *, location_id: str | None, actor: Actor) -> str | None:
    """Add the pieces of the received units to the location's stock; returns the location. received: units by line.

    Called before the units are counted. location_id: by default the one that all of them were shipped from.
    Raises RestockLocationRequired, NotStockedThere. Three statements; one if nothing goes to stock.
    """
    taken = _TAKEN.read(sorted(received))
    quantities = _pieces(opened, received, taken)
    if not quantities:
        return location_id
    place = location_id or _only(row.fulfillment__location_id for row in taken)
    if place is None:
        raise RestockLocationRequired
    try:
        stock_deduction.restock(actor=actor, location_id=place, quantities=quantities, return_id=opened.row.pk)
    except InventoryLevelNotFound as error:
        raise NotStockedThere(place, error.message) from error
    return place


def _only(location_ids: Iterable[str]) -> str | None:
    different = set(location_ids)
    return different.pop() if len(different) == 1 else None


def _pieces(opened: LockedReturn, received: Mapping[str, int], rows: "Iterable[_Taken]") -> Mapping[str, int]:
    """Pieces by inventory item: what the line's fulfillments deducted, in proportion to the received units.

    Rounded down over all units received so far, so that never more is restocked than was deducted.
    """
    taken: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for row in rows:
        units, pieces = taken[row.line_item_id, row.inventory_item_id]
        taken[row.line_item_id, row.inventory_item_id] = units + row.units, pieces + row.quantity
    quantities: dict[str, int] = defaultdict(int)
    for (line_id, item_id), (units, pieces) in taken.items():
        before = min(opened.order.lines[line_id].return_received_quantity, units)
        after = min(opened.order.lines[line_id].return_received_quantity + received[line_id], units)
        quantities[item_id] += pieces * after // units - pieces * before // units
    return {item_id: number for item_id, number in quantities.items() if number}


class _Taken(NamedTuple):
    line_item_id: str
    inventory_item_id: str
    fulfillment__location_id: str
    units: int
    quantity: int


def _taken() -> QuerySet[FulfillmentItem]:
    rows: QuerySet[FulfillmentItem] = FulfillmentItem.objects.filter(fulfillment__canceled_at=None)
    return rows.exclude(inventory_item_id=None)


_TAKEN = KeyedRows(_taken, key="line_item_id", row=_Taken)
