"""Linking variants to the inventory items that one piece of them takes, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog.models import VariantInventoryItem
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import remove_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkState(RowState):
    """The desired state of a link. required_quantity: of the item, for one piece of the variant."""

    variant_id: str | Absent = ABSENT
    inventory_item_id: str | Absent = ABSENT
    required_quantity: int | Absent = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[LinkState]) -> list[Edited[VariantInventoryItem]]:
    """Create and change links: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(VariantInventoryItem, states, actor=actor)
    for index, row in enumerate(edits.rows):
        if row.required_quantity < 1:
            edits.refuse(index, "required_quantity", InvalidData("One piece requires at least 1."))
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Delete links for good. Raises NotFound, Forbidden."""
    remove_rows(VariantInventoryItem, ids, actor=actor)


VERBS = RowVerbs(state=LinkState, put=put, delete=delete)
