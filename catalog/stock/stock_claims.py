"""Claiming stock for the lines of a cart that is being completed, and releasing it.

All lines are served, or none. An item comes from one location of the sales channel if one has enough of it, else from
several, the fullest first, and all pieces of a unit from one as long as any has them. Lines with backorder take what
the others leave, and the rest exceeds the stock.
Callers hold a transaction. Why: docs/decisions/catalogue.md#stock-is-claimed-at-one-location-if-possible.
Why: docs/decisions/catalogue.md#backorders-are-decided-when-a-line-is-sold.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from catalog.models import InventoryLevel, ProductVariant, Reservation
from catalog.stock.errors import StockTooLow
from catalog.stock.reservations import end, sellable_levels
from kit.editing.reporting import Change, report
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows

_MOST_RESERVED = 2**31 - 1
"""What the column of a level can hold."""


@dataclass(frozen=True, slots=True)
class LineClaim:
    """line_item_id: the id that the reservations name. quantity: pieces of the variant, 1 or more.

    of_unit: what one of them requires, by item, where that is not what the catalogue says today.
    """

    line_item_id: str
    variant_id: str
    quantity: int
    of_unit: Mapping[str, int] | None = None


def claim_stock(lines: Sequence[LineClaim], sales_channel_id: str) -> None:
    """Reserve what the lines require of the channel's stock. Variants whose inventory is not managed require nothing.

    Raises StockTooLow, before anything is written, with the lines of each item that is short, and with those of
    managed variants that have no item, or no location where a backorder could be reserved.
    Three statements for any number of lines, two where nothing is managed.
    """
    demands, refused = _demands(lines)
    levels = _levels(sorted(demands), sales_channel_id)
    shares: list[_Share] = []
    for item_id, of_item in demands.items():
        short = _short(of_item, levels[item_id])
        refused |= short
        if not short:
            shares += _spread(of_item, levels[item_id])
    if refused:
        raise StockTooLow([line.line_item_id for line in lines if line.line_item_id in refused])
    _insert(shares)


def release_stock(line_item_ids: Sequence[str]) -> None:
    """Release all that is reserved for these lines; does nothing where nothing is. Three statements."""
    end(Reservation.objects.filter(line_item_id__in=line_item_ids))


class _Requirement(NamedTuple):
    """A variant with one of its items, if it has any."""

    id: str
    manage_inventory: bool
    allow_backorder: bool
    inventory_links__inventory_item_id: str | None
    inventory_links__required_quantity: int | None
    inventory_links__deleted_at: str | None


class _Demand(NamedTuple):
    """Pieces of an item for a line. of_unit: how many one unit requires. may_exceed: the stock, with backorder."""

    line_item_id: str
    quantity: int
    of_unit: int
    may_exceed: bool


@dataclass(slots=True)
class _Level:
    id: str
    inventory_item_id: str
    location_id: str
    stocked_quantity: int
    reserved_quantity: int

    @property
    def pk(self) -> str:
        """Makes it usable in the place of an InventoryLevel."""
        return self.id

    @property
    def available(self) -> int:
        """Pieces that can be reserved without backorder."""
        return max(self.stocked_quantity - self.reserved_quantity, 0)


class _Share(NamedTuple):
    """What a location reserves for a line."""

    line_item_id: str
    level: _Level
    quantity: int
    allow_backorder: bool


def _demands(lines: Sequence[LineClaim]) -> tuple[dict[str, list[_Demand]], set[str]]:
    """What the lines require, by item; and the ids of lines whose managed variants have no item, or do not exist."""
    of_variant: dict[str, list[_Requirement]] = defaultdict(list)
    for row in _REQUIREMENTS.read(sorted({line.variant_id for line in lines})):
        of_variant[row.id].append(row)
    demands: dict[str, list[_Demand]] = defaultdict(list)
    refused = set()
    for line in lines:
        found = of_variant[line.variant_id]
        if found and not found[0].manage_inventory and not line.of_unit:
            continue
        required = _required(found) if line.of_unit is None else line.of_unit
        for item_id, pieces in required.items():
            may_exceed = bool(found and found[0].allow_backorder)
            demands[item_id].append(_Demand(line.line_item_id, line.quantity * pieces, pieces, may_exceed))
        if not required:
            refused.add(line.line_item_id)
    return demands, refused


def _required(rows: Sequence[_Requirement]) -> dict[str, int]:
    """What one piece of a variant requires, by item."""
    return {
        row.inventory_links__inventory_item_id: row.inventory_links__required_quantity or 0
        for row in rows
        if row.inventory_links__inventory_item_id is not None and row.inventory_links__deleted_at is None
    }


def _levels(item_ids: Sequence[str], sales_channel_id: str) -> dict[str, list[_Level]]:
    """The locked levels by item, in the order of their locations' ids, so that items tend to come from one place."""
    by_item: dict[str, list[_Level]] = defaultdict(list)
    for level in sorted(_LEVELS.read(item_ids, sales_channel_id), key=lambda level: level.location_id):
        by_item[level.inventory_item_id].append(level)
    return by_item


def _short(demands: Sequence[_Demand], levels: Sequence[_Level]) -> set[str]:
    """The ids of the lines that cannot be served."""
    limited = [demand for demand in demands if not demand.may_exceed]
    fullest = max((level.reserved_quantity for level in levels), default=_MOST_RESERVED)
    if sum(demand.quantity for demand in demands) > _MOST_RESERVED - fullest:
        return {demand.line_item_id for demand in demands}
    if sum(demand.quantity for demand in limited) > sum(level.available for level in levels):
        return {demand.line_item_id for demand in limited}
    return set()


def _spread(demands: Sequence[_Demand], levels: Sequence[_Level]) -> list[_Share]:
    """Reserve from these levels of one item, which suffice for all lines without backorder."""
    wanted = sum(demand.quantity for demand in demands)
    one = next((level for level in levels if level.available >= wanted), None)
    places = [one] if one else sorted(levels, key=lambda level: -level.available)
    shares = []
    for demand in sorted(demands, key=lambda demand: demand.may_exceed):
        parts = _pieces_by_place(demand, [level.available for level in places])
        for level, part in zip(places, parts, strict=True):
            level.reserved_quantity += part
            if part:
                shares.append(_Share(demand.line_item_id, level, part, demand.may_exceed))
    return shares


def _pieces_by_place(demand: _Demand, available: Sequence[int]) -> list[int]:
    """How many pieces come from each place: all pieces of a unit from one, as long as any has them."""
    parts = [0] * len(available)
    missing = demand.quantity
    for together in (demand.of_unit,) if demand.may_exceed else (demand.of_unit, 1):
        for place, there in enumerate(available):
            part = min(there - parts[place], missing) // together * together
            parts[place] += part
            missing -= part
    parts[0] += missing
    return parts


def _insert(shares: Sequence[_Share]) -> None:
    moment = now()
    dates = {"created_at": moment, "updated_at": moment, "deleted_at": None}
    rows = [
        {
            "id": new_id("resitem"),
            "inventory_item_id": share.level.inventory_item_id,
            "location_id": share.level.location_id,
            "quantity": share.quantity,
            "allow_backorder": share.allow_backorder,
            "line_item_id": share.line_item_id,
            "description": "",
            **dates,
        }
        for share in shares
    ]
    raw_rows.insert(Reservation, rows)
    report(InventoryLevel, Change.UPDATED, [share.level for share in shares])


_REQUIREMENTS = KeyedRows(ProductVariant.objects.not_deleted, key="id", row=_Requirement)
_LEVELS = KeyedRows(
    lambda sales_channel_id: sellable_levels().filter(location__sales_channels=sales_channel_id),
    key="inventory_item_id",
    row=_Level,
    locked=True,
)
