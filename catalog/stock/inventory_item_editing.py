"""Inventory items, as staff maintain them. Variants that use a deleted one can no longer be sold from stock."""

from collections.abc import Sequence
from typing import Any

from catalog.models import InventoryItem, InventoryLevel
from catalog.models.products import Measures
from catalog.stock.errors import ItemReserved
from catalog.stock.stock_changes import StockChange
from catalog.stock.stock_levels import add_levels
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.parts import Part, parts_of, refuse
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Fault
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from shop.models import StockLocation


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[InventoryItem]]:
    edited = RowEdits(InventoryItem, states, actor=actor).write()
    if parts := parts_of(states, "location_levels"):
        _check_locations(parts)
        add_levels(actor=actor, levels=[StockChange(edited[part.index].row.pk, **part.values) for part in parts])
    return edited


def _check_locations(parts: Sequence[Part]) -> None:
    """Refuse unknown locations, and two levels of an item at one."""
    rows = StockLocation.objects.not_deleted().filter(pk__in={part.values["location_id"] for part in parts})
    known, seen, faults = {*rows.values_list("pk", flat=True)}, set[tuple[int, str]](), list[Fault]()
    for part in parts:
        key = part.values["location_id"]
        if key not in known:
            faults.append(part.fault("location_id", InvalidData(missing("Stock location", key))))
        elif (part.index, key) in seen:
            faults.append(part.fault("location_id", InvalidData("The location is named twice")))
        seen.add((part.index, key))
    refuse(InventoryItem, faults)


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
