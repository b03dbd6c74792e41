"""Creating, changing, deleting and restoring price lists, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from catalog.models import PriceList
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceListState(RowState):
    """The desired state of a price list. It is valid from starts_at until before ends_at."""

    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    type: str | Absent = ABSENT
    status: str | Absent = ABSENT
    starts_at: datetime | Absent | None = ABSENT
    ends_at: datetime | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[PriceListState]) -> list[Edited[PriceList]]:
    """Create and change price lists: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(PriceList, states, actor=actor)
    for index, row in enumerate(edits.rows):
        if row.starts_at and row.ends_at and row.starts_at >= row.ends_at:
            edits.refuse(index, "ends_at", InvalidData("The end must be after the start."))
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete price lists; their prices no longer apply. Raises NotFound, Forbidden."""
    delete_rows(PriceList, ids, actor=actor)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore price lists, and their prices with them. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(PriceList, ids, actor=actor)


VERBS = RowVerbs(state=PriceListState, put=put, delete=delete, restore=restore)
