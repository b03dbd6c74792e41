"""Inventory items, as staff maintain them. Variants that use a deleted one can no longer be sold from stock."""

from collections.abc import Sequence
from typing import Any

from catalog.errors import ItemReserved
from catalog.models import InventoryItem, InventoryLevel
from catalog.models.products import Measures
from catalog.stock.stock_changes import StockChange
from catalog.stock.stock_levels import add_levels
from kit.database.locking import lock_rows
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.batches import naming
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[InventoryItem]]:
    edited = RowEdits(InventoryItem, states, actor=actor).write()
    levels = [
        StockChange(one.row.pk, **level)
        for one, state in zip(edited, states, strict=True)
        for level in (() if state.location_levels is ABSENT else state.location_levels)
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


_MEASURED = (*(field.attname for field in Measures._meta.local_fields), "unit_of_measure")
VERBS = RowVerbs(
    InventoryItem,
    ("sku", "title", "requires_shipping", "description", "thumbnail", *_MEASURED, "location_levels", "metadata"),
    extras=("location_levels",),
    put=_put,
    delete=_delete,
    restore=restore_rows,
)
"""location_levels: levels to create with an item, as StockChange without it. Later, movements change its stock."""
