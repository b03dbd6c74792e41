"""Deleting return reasons."""

from django.db import transaction

from kit.database.locking import lock_row
from kit.domain import soft_deletion
from kit.domain.actor import Actor
from orders.errors import ReasonHasChildren, ReturnReasonNotFound
from orders.models import ReturnReason


@transaction.atomic
def delete(*, actor: Actor, return_reason_id: str) -> None:
    """Soft-delete a return reason. Raises ReturnReasonNotFound, ReasonHasChildren, Forbidden."""
    actor.require("orders.delete_returnreason")
    reason: ReturnReason | None = lock_row(ReturnReason.objects.not_deleted(), return_reason_id)
    if reason is None:
        raise ReturnReasonNotFound(return_reason_id)
    if ReturnReason.objects.not_deleted().filter(parent_return_reason=return_reason_id).exists():
        raise ReasonHasChildren(reason.label)
    soft_deletion.delete(reason)
