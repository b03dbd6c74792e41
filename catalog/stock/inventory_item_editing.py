"""Creating, changing, deleting and restoring inventory items, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog.models import InventoryItem
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemState(RowState):
    """The desired state of an inventory item. Its stock is changed by movements (catalog/stock/stock_changes.py)."""

    sku: str | Absent | None = ABSENT
    title: str | Absent = ABSENT
    requires_shipping: bool | Absent = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[ItemState]) -> list[Edited[InventoryItem]]:
    """Create and change items: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(InventoryItem, states, actor=actor).write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete items; variants that use them can no longer be sold from stock. Raises NotFound, Forbidden."""
    delete_rows(InventoryItem, ids, actor=actor)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore items. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(InventoryItem, ids, actor=actor)


VERBS = RowVerbs(state=ItemState, put=put, delete=delete, restore=restore)
