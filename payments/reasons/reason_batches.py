"""Creating, changing, deleting and restoring refund reasons, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.values.metadata import Metadata
from payments.models import RefundReason
from payments.reasons import reason_deletion


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonState(RowState):
    """The desired state of a reason. code: unique."""

    code: str | Absent = ABSENT
    label: str | Absent = ABSENT
    description: str | Absent | None = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[ReasonState]) -> list[Edited[RefundReason]]:
    """Create and change reasons: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(RefundReason, states, actor=actor).write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete reasons, one after the other. Raises RefundReasonNotFound, RefundReasonInUse, Forbidden."""
    for key in ids:
        reason_deletion.delete(actor=actor, refund_reason_id=key)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore reasons. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(RefundReason, ids, actor=actor)


VERBS = RowVerbs(state=ReasonState, put=put, delete=delete, restore=restore)
