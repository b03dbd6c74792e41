"""Allocating stock to a fulfillment: how many pieces of which items, from which location.

Each unit of a line requires what is reserved for the line divided by its unfulfilled units. The catalogue may have
changed since the order was placed; the reservations have not.
Why: docs/decisions/fulfillments.md#fulfillments-take-what-is-reserved-for-their-lines.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from catalog.stock.stock_deduction import StockQuantity
from orders.fulfillments.errors import InsufficientReservation, LineNotReserved, LocationRequired
from orders.fulfillments.requested_items import RequestedItem
from orders.fulfillments.stock import Reserved, reserved_for


@dataclass(frozen=True, slots=True)
class AllocatedItem:
    """A row of a fulfillment. quantity: pieces. inventory_item_id: None if it takes nothing from stock."""

    requested: RequestedItem
    inventory_item_id: str | None
    title: str
    sku: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Allocation:
    """location_id: None if nothing is taken from stock and the caller named no location."""

    location_id: str | None
    items: list[AllocatedItem]

    @property
    def stock_quantities(self) -> list[StockQuantity]:
        """What to deduct from the stock of the location."""
        return [
            StockQuantity(item.requested.line.id, item.inventory_item_id, item.quantity)
            for item in self.items
            if item.inventory_item_id is not None
        ]


def allocate(
    requested: Sequence[RequestedItem], *, location_id: str | None, fallback_location_id: str | None
) -> Allocation:
    """Allocate from the named location, or from the only one where the items are reserved. One statement.

    fallback_location_id: used if the caller names no location and nothing is taken from stock.
    Raises LineNotReserved, LocationRequired, InsufficientReservation.
    """
    reserved: dict[str, list[Reserved]] = defaultdict(list)
    for row in sorted(reserved_for([each.line.id for each in requested])):
        reserved[row.line_item_id].append(row)
    place = location_id or _only_location(requested, reserved)
    allocation = Allocation(place or fallback_location_id, [])
    for each in requested:
        if rows := reserved[each.line.id]:
            _allocate_managed(allocation, each, rows)
        elif each.is_managed:
            raise LineNotReserved(each.line.id, each.line.name)
        else:
            allocation.items.append(AllocatedItem(each, None, each.line.name, each.line.variant_sku or "", each.units))
    return allocation


def _only_location(requested: Sequence[RequestedItem], reserved: dict[str, list[Reserved]]) -> str | None:
    first: str | None = None
    for each in requested:
        places = {row.location_id for row in reserved[each.line.id]} | ({first} if first else set())
        if len(places) > 1:
            raise LocationRequired(each.line.id, sorted(places))
        first = next(iter(places), first)
    return first


def _allocate_managed(allocation: Allocation, requested: RequestedItem, rows: Sequence[Reserved]) -> None:
    by_item: dict[str, list[Reserved]] = defaultdict(list)
    for row in rows:
        by_item[row.inventory_item_id].append(row)
    for item_id, of_item in by_item.items():
        here = sum(row.quantity for row in of_item if row.location_id == allocation.location_id)
        pieces, rest = divmod(sum(row.quantity for row in of_item) * requested.units, requested.line.remaining)
        if rest or here < pieces:
            name = of_item[0].inventory_item__sku or of_item[0].inventory_item__title or item_id
            raise InsufficientReservation(
                requested.line.id, name, str(allocation.location_id), here, pieces + bool(rest)
            )
        title = requested.line.name if len(by_item) == 1 else of_item[0].inventory_item__title or requested.line.name
        sku = of_item[0].inventory_item__sku or requested.line.variant_sku or ""
        allocation.items.append(AllocatedItem(requested, item_id, title, sku, pieces))
