"""Setting and adjusting stock, at one location or at many."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog.models import InventoryLevel
from catalog.states import MovementReason
from catalog.stock.errors import InventoryLevelNotFound, StockMismatch, TooManyStockChanges
from catalog.stock.reservations import Place, sellable_levels
from catalog.stock.stock_movements import MOST_STOCKED, Move, adjusted, record_movements
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report, reported
from kit.errors import InvalidData, shown
from kit.values.timestamps import now
from kit.writes import raw_rows

MOST_CHANGES = 1000
"""Levels that one call can change."""


@dataclass(frozen=True, slots=True)
class StockChange:
    """A change to the level of an item at a location, in pieces. None leaves a quantity as it is.

    stocked_quantity: the new stock, 0 or more. adjust_by: a difference instead.
    expected_stocked_quantity: the change is refused if the current stock differs.
    id: of the level, for a caller who names it as well.
    """

    inventory_item_id: str
    location_id: str
    stocked_quantity: int | None = None
    expected_stocked_quantity: int | None = None
    adjust_by: int | None = None
    incoming_quantity: int | None = None
    id: str | None = None

    @property
    def place(self) -> Place:
        """The level to change."""
        return self.inventory_item_id, self.location_id


@transaction.atomic
@reported()
def change_stock(*, actor: Actor, changes: Sequence[StockChange], note: str = "") -> list[str]:
    """Apply all changes, or none. Returns the ids of the levels in the order of the changes.

    Raises InvalidData, InventoryLevelNotFound, StockMismatch, StockBelowZero, Forbidden.
    Two statements for stock, and one for incoming quantities, for any number of changes.
    """
    actor.require("catalog.change_inventorylevel")
    check_changes(changes)
    levels = _locked(changes)
    for change in changes:
        if change.id not in (None, levels[change.place].pk):
            raise InvalidData(f"Field 'id': '{shown(change.id)}' is not the stock level at this location")
    differing = [change for change in changes if _differs(change, levels[change.place])]
    if differing:
        raise StockMismatch([(*change.place, levels[change.place].stocked_quantity) for change in differing])
    moves: dict[MovementReason, list[Move]] = defaultdict(list)
    for change in changes:
        level = levels[change.place]
        if change.stocked_quantity is not None:
            moves[MovementReason.SET].append(Move(level, change.stocked_quantity))
        elif change.adjust_by is not None:
            moves[MovementReason.ADJUSTMENT].append(adjusted(level, change.adjust_by))
    for reason, of_reason in moves.items():
        record_movements(of_reason, actor=actor, reason=reason, note=note)
    save_incoming({levels[change.place]: change.incoming_quantity for change in changes})
    return [levels[change.place].pk for change in changes]


def check_changes(changes: Sequence[StockChange]) -> None:
    """Raise InvalidData for quantities out of bounds, and for too many changes or two of one level."""
    if len(changes) > MOST_CHANGES:
        raise TooManyStockChanges(MOST_CHANGES, len(changes))
    places: set[Place] = set()
    for change in changes:
        for field in ("stocked_quantity", "incoming_quantity"):
            _check_bounds(field, getattr(change, field))
        if change.stocked_quantity is not None and change.adjust_by is not None:
            raise InvalidData("Fields 'stocked_quantity' and 'adjust_by' cannot be given together")
        if change.place in places:
            item_id, location_id = change.place
            raise InvalidData(f"Item {item_id} at location {location_id} is given twice")
        places.add(change.place)


def _check_bounds(field: str, quantity: int | None) -> None:
    if quantity is not None and quantity < 0:
        raise InvalidData(f"Value for field '{field}' too small, expected at least: '0'")
    if quantity is not None and quantity > MOST_STOCKED:
        raise InvalidData(f"Value for field '{field}' too big, expected at most: '{MOST_STOCKED}'")


def _locked(changes: Iterable[StockChange]) -> Mapping[Place, InventoryLevel]:
    """The levels to change. Locks every level of these items at these locations, which may be more."""
    places = {change.place for change in changes}
    items, locations = ({place[side] for place in places} for side in (0, 1))
    rows = lock_rows(sellable_levels().filter(inventory_item__in=items, location__in=locations))
    found = {(level.inventory_item_id, level.location_id): level for level in rows}
    missing = places - found.keys()
    if missing:
        raise InventoryLevelNotFound(*min(missing))
    return found


def _differs(change: StockChange, level: InventoryLevel) -> bool:
    return change.expected_stocked_quantity not in (None, level.stocked_quantity)


def save_incoming(quantities: Mapping[InventoryLevel, int | None]) -> None:
    """Write incoming quantities by level; None leaves one as it is. One statement."""
    given, moment = {level: quantity for level, quantity in quantities.items() if quantity is not None}, now()
    rows = [{"id": level.pk, "incoming_quantity": quantity, "updated_at": moment} for level, quantity in given.items()]
    raw_rows.update(InventoryLevel, rows)
    report(InventoryLevel, Change.UPDATED, given)
