"""Deleting return reasons."""

from django.db import transaction

from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import NotAllowed
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.missing_row import RowNotFound
from orders.models import ReturnReason


class ReturnReasonNotFound(RowNotFound):
    """No return reason has that id."""

    noun = "Return reason"


class ReasonHasChildren(NotAllowed):
    """Its children are deleted or moved first."""

    def __init__(self, label: str) -> None:
        super().__init__(f"Return reason '{label}' has others below it: delete or move them first")


@transaction.atomic
def delete(*, actor: Actor, return_reason_id: str) -> None:
    """Soft-delete a return reason. Raises ReturnReasonNotFound, ReasonHasChildren, Forbidden."""
    actor.require("orders.delete_returnreason")
    found = lock_rows(ReturnReason.objects.not_deleted().filter(pk=return_reason_id))
    if not found:
        raise ReturnReasonNotFound(return_reason_id)
    if ReturnReason.objects.not_deleted().filter(parent_return_reason=return_reason_id).exists():
        raise ReasonHasChildren(found[0].label)
    soft_deletion.delete(found[0])
