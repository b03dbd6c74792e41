"""Creating, changing, deleting and restoring return reasons, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.metadata import Metadata
from orders.models import ReturnReason
from orders.returns.return_reasons import deletion
from orders.returns.return_reasons.tree import is_own_ancestor, lock_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonState(RowState):
    """The desired state of a reason. value: unique. Customers choose only reasons that are no other's parent."""

    value: str | Absent = ABSENT
    label: str | Absent = ABSENT
    description: str | Absent | None = ABSENT
    parent_return_reason_id: str | Absent | None = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[ReasonState]) -> list[Edited[ReturnReason]]:
    """Create and change reasons: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    moved = [index for index, state in enumerate(states) if state.parent_return_reason_id is not ABSENT]
    if moved:
        lock_tree()
    edits = RowEdits(ReturnReason, states, actor=actor)
    if moved:
        parents = dict(ReturnReason.objects.not_deleted().values_list("pk", "parent_return_reason_id"))
        parents |= {row.pk: row.parent_return_reason_id for row in edits.rows}
        for index in moved:
            if is_own_ancestor(edits.rows[index].pk, parents):
                edits.refuse(index, "parent_return_reason", InvalidData("This reason is the same, or below it."))
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete reasons, one after the other. Raises ReturnReasonNotFound, ReasonHasChildren, Forbidden."""
    for key in ids:
        deletion.delete(actor=actor, return_reason_id=key)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore reasons. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(ReturnReason, ids, actor=actor)


VERBS = RowVerbs(state=ReasonState, put=put, delete=delete, restore=restore)
