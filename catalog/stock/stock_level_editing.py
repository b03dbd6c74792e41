"""Creating and changing stock levels by differences, any number at once, as the tables of the admin site do."""

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.models import InventoryLevel
from catalog.stock.stock_batch import change_levels
from catalog.stock.stock_changes import StockChange
from kit.domain.actor import Actor
from kit.editing.locked_rows import locked
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelState(RowState):
    """The pieces to add to a level, or to remove if negative. A new level names its item and location."""

    inventory_item_id: str = ""
    location_id: str = ""
    stocked_by: int = 0
    incoming_by: int = 0


def _put(*, actor: Actor, states: Sequence[LevelState]) -> list[Edited[InventoryLevel]]:
    """Create and change levels: all of them, or none. The number of statements does not depend on that of the levels.

    Raises NotFound, StockBelowZero, Forbidden, InvalidData (also for an unknown item or location); a level that exists
    is a Duplicate.
    """
    stored = locked(InventoryLevel, [state.id for state in states if state.id])
    new = [state for state in states if state.id is None]
    changed = [(state, stored[state.id]) for state in states if state.id]
    made = change_levels(
        actor=actor,
        create=[
            StockChange(
                state.inventory_item_id,
                state.location_id,
                stocked_quantity=state.stocked_by,
                incoming_quantity=state.incoming_by,
            )
            for state in new
        ],
        update=[
            StockChange(
                level.inventory_item_id,
                level.location_id,
                adjust_by=state.stocked_by or None,
                incoming_quantity=level.incoming_quantity + state.incoming_by if state.incoming_by else None,
            )
            for state, level in changed
        ],
    )
    rows = stored | InventoryLevel.objects.in_bulk(made.created)
    created = iter(made.created)
    return [Edited(rows[state.id or next(created)], state.id is None, is_changed=True) for state in states]


VERBS = RowVerbs(InventoryLevel, ("inventory_item_id", "location_id"), state=LevelState, put=_put)
