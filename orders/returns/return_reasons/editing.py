"""Return reasons, as staff maintain them. Why: docs/decisions/returns.md#values-of-return-reasons-are-unique."""

from collections.abc import Collection, Sequence
from functools import partial

from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from orders.common.errors import ReasonHasChildren
from orders.models import ReturnReason
from orders.returns.return_reasons.tree import is_own_ancestor, lock_tree

PARENT = "parent_return_reason_id"


def _moved(states: Sequence[RowState]) -> list[int]:
    """The places in the batch of reasons that are put below another."""
    return [index for index, state in enumerate(states) if state.given_values().get(PARENT) is not None]


def _lock(states: Sequence[RowState]) -> None:
    if _moved(states):
        lock_tree()


def _refuse_cycles(edits: RowEdits[ReturnReason], states: Sequence[RowState]) -> None:
    if moved := _moved(states):
        parents = dict(ReturnReason.objects.not_deleted().values_list("pk", PARENT))
        parents |= {row.pk: row.parent_return_reason_id for row in edits.rows}
        for index in moved:
            if is_own_ancestor(edits.rows[index].pk, parents):
                edits.refuse(index, "parent_return_reason", InvalidData("This reason is the same, or below it."))


def _require_no_children(reasons: Collection[ReturnReason]) -> None:
    """Raise ReasonHasChildren for a reason that is the parent of one that stays."""
    below = ReturnReason.objects.not_deleted().exclude(pk__in=[reason.pk for reason in reasons])
    parents = {*below.filter(parent_return_reason__in=reasons).values_list(PARENT, flat=True)}
    for reason in reasons:
        if reason.pk in parents:
            raise ReasonHasChildren(reason.label)


VERBS = RowVerbs(
    ReturnReason,
    ("value", "label", "description", PARENT, "metadata"),
    lock=_lock,
    check=_refuse_cycles,
    delete=partial(delete_rows, check=_require_no_children),
    restore=restore_rows,
)
"""value: unique. Customers choose only reasons that are no other's parent, and only these can be deleted."""
