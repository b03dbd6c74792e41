"""Restocking returned goods."""

from collections.abc import Mapping

from catalog.states import MovementReason
from catalog.stock.stock_deduction import lock_levels
from catalog.stock.stock_movements import adjusted, record_movements
from kit.domain.actor import Actor


def restock(*, actor: Actor, location_id: str, quantities: Mapping[str, int], return_id: str) -> None:
    """Add the pieces to the location's stock. quantities: by inventory item. Callers hold a transaction.

    Raises InventoryLevelNotFound, InvalidData. Two statements.
    """
    levels = lock_levels(location_id, set(quantities))
    moves = [adjusted(levels[item_id], quantity) for item_id, quantity in quantities.items()]
    record_movements(moves, actor=actor, reason=MovementReason.RETURN, reference_id=return_id)
