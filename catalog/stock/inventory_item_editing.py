"""Inventory items, as staff maintain them. Variants that use a deleted one can no longer be sold from stock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.errors import ItemReserved
from catalog.models import InventoryItem, InventoryLevel
from catalog.stock.stock_changes import StockChange
from catalog.stock.stock_levels import add_levels
from kit.database.locking import lock_rows
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.batches import naming
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryItemState(RowState):
    """location_levels: levels to create with the item, as StockChange without the item."""

    sku: object = ABSENT
    title: object = ABSENT
    requires_shipping: object = ABSENT
    metadata: object = ABSENT
    location_levels: Sequence[Mapping[str, Any]] = ()


def _put(*, actor: Actor, states: Sequence[InventoryItemState]) -> list[Edited[InventoryItem]]:
    edited = RowEdits(InventoryItem, states, actor=actor).write()
    levels = [
        StockChange(one.row.pk, **level)
        for one, state in zip(edited, states, strict=True)
        for level in state.location_levels
    ]
    with naming("location_levels"):
        if levels:
            add_levels(actor=actor, levels=levels)
    return edited


def _delete(model: type[InventoryItem], ids: Sequence[str], *, actor: Actor) -> None:
    """Why: docs/decisions/catalogue.md#reserved-items-are-not-deleted."""
    delete_rows(model, ids, actor=actor, check=_refuse_reserved)


def _refuse_reserved(items: Sequence[InventoryItem]) -> None:
    for level in lock_rows(InventoryLevel.objects.select_related("location").filter(inventory_item__in=items)):
        if level.reserved_quantity:
            raise ItemReserved(level, level.reserved_quantity)


VERBS = RowVerbs(
    InventoryItem,
    ("sku", "title", "requires_shipping", "metadata"),
    state=InventoryItemState,
    put=_put,
    delete=_delete,
    restore=restore_rows,
)
"""Stock is changed by movements (catalog/stock/stock_changes.py)."""
