"""Recording stock movements, the only way to change stock.

Callers hold a transaction in which they have locked the levels. The database updates each level from its movement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.models import InventoryLevel, StockMovement
from catalog.states import MovementReason
from catalog.stock.errors import StockBelowZero
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from kit.errors import InvalidData
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows

MOST_STOCKED = 2**31 - 1
"""What the column of a level can hold."""


@dataclass(frozen=True, slots=True)
class Move:
    """The stock of a locked level, before and after, in pieces. backordered: see StockMovement."""

    level: InventoryLevel
    stocked_after: int
    backordered: int = 0


def adjusted(level: InventoryLevel, difference: int) -> Move:
    """The move that adds the difference, or deducts it if negative. Raises StockBelowZero, InvalidData."""
    after = level.stocked_quantity + difference
    if difference < 0 and after < 0:
        raise StockBelowZero(level.inventory_item_id, level.location_id, stocked=level.stocked_quantity)
    if after > MOST_STOCKED:
        raise InvalidData(f"Value for field 'adjust_by' too big: a location can stock at most '{MOST_STOCKED}'")
    return Move(level, after)


def bring_back(levels: Iterable[InventoryLevel]) -> None:
    """Restore the deleted ones among these levels. One statement, if there are any."""
    deleted, moment = [level for level in levels if level.deleted_at is not None], now()
    raw_rows.update(InventoryLevel, [{"id": each.pk, "deleted_at": None, "updated_at": moment} for each in deleted])
    report(InventoryLevel, Change.CREATED, deleted)


def record_movements(
    moves: Sequence[Move], *, actor: Actor, reason: MovementReason, reference_id: str | None = None, note: str = ""
) -> None:
    """Move the stock of the levels, each once, and record who did it and why. Moves that change nothing are skipped.

    One statement. The database refuses moves below 0 beyond what was sold on backorder.
    """
    moment = now()
    by_person = actor.type == "user"
    moved = [move for move in moves if move.stocked_after != move.level.stocked_quantity]
    rows = [
        {
            "id": new_id("smov"),
            "level_id": move.level.pk,
            "reason": reason.value,
            "reference_id": reference_id,
            "stocked_before": move.level.stocked_quantity,
            "stocked_after": move.stocked_after,
            "backordered": move.backordered,
            "note": note,
            "created_by": actor.id if by_person else None,
            "api_key_id": actor.through if by_person else None,
            "created_at": moment,
        }
        for move in moved
    ]
    raw_rows.insert(StockMovement, rows)
    report(InventoryLevel, Change.UPDATED, [move.level for move in moved])
