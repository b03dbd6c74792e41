"""Which pieces a fulfillment takes, and from which location.

What one unit of a line requires is what is reserved for the line, divided by the units that are not fulfilled yet: the
reservations were made when the order was placed, and the catalogue may have changed since.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from catalog.stock_shipping import StockPart
from orders.fulfillments.errors import NotReserved, ReservedElsewhere, SeveralLocations
from orders.fulfillments.goods import Goods
from orders.fulfillments.stock import Reserved, reserved_for


@dataclass(frozen=True, slots=True)
class PackedItem:
    """A row of a fulfillment. quantity: pieces. inventory_item_id: None for goods that take nothing from stock."""

    goods: Goods
    inventory_item_id: str | None
    title: str
    sku: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Packing:
    """location_id: None where nothing leaves any stock, and nobody named one."""

    location_id: str | None
    items: list[PackedItem]

    @property
    def parts(self) -> list[StockPart]:
        """What leaves the stock of the location."""
        return [
            StockPart(item.goods.line.id, item.inventory_item_id, item.quantity)
            for item in self.items
            if item.inventory_item_id is not None
        ]


def pack(goods: Sequence[Goods], *, location_id: str | None, other_location_id: str | None) -> Packing:
    """Pack from the named location, or from the only one where the goods are reserved. One statement.

    other_location_id: for goods that take nothing from stock.
    Raises NotReserved, SeveralLocations, ReservedElsewhere.
    """
    reserved: dict[str, list[Reserved]] = defaultdict(list)
    for row in sorted(reserved_for([each.line.id for each in goods])):
        reserved[row.line_item_id].append(row)
    place = location_id or _only_location(goods, reserved)
    packing = Packing(place or other_location_id, [])
    for each in goods:
        if rows := reserved[each.line.id]:
            _pack_managed(packing, each, rows)
        elif each.is_managed:
            raise NotReserved(each.line.id, each.line.name)
        else:
            packing.items.append(PackedItem(each, None, each.line.name, each.line.variant_sku or "", each.units))
    return packing


def _only_location(goods: Sequence[Goods], reserved: dict[str, list[Reserved]]) -> str | None:
    first: str | None = None
    for each in goods:
        places = {row.location_id for row in reserved[each.line.id]} | ({first} if first else set())
        if len(places) > 1:
            raise SeveralLocations(each.line.id, sorted(places))
        first = next(iter(places), first)
    return first


def _pack_managed(packing: Packing, goods: Goods, rows: Sequence[Reserved]) -> None:
    by_item: dict[str, list[Reserved]] = defaultdict(list)
    for row in rows:
        by_item[row.inventory_item_id].append(row)
    for item_id, of_item in by_item.items():
        here = sum(row.quantity for row in of_item if row.location_id == packing.location_id)
        pieces, rest = divmod(sum(row.quantity for row in of_item) * goods.units, goods.line.remaining)
        if rest or here < pieces:
            name = of_item[0].inventory_item__sku or of_item[0].inventory_item__title or item_id
            raise ReservedElsewhere(goods.line.id, name, str(packing.location_id), here, pieces + bool(rest))
        title = goods.line.name if len(by_item) == 1 else of_item[0].inventory_item__title or goods.line.name
        sku = of_item[0].inventory_item__sku or goods.line.variant_sku or ""
        packing.items.append(PackedItem(goods, item_id, title, sku, pieces))
