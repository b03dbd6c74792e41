"""Deleting return reasons."""

from django.db import transaction

from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.text import is_storable
from orders.errors import ReasonHasChildren, ReturnReasonNotFound
from orders.models import ReturnReason


@transaction.atomic
def delete(*, actor: Actor, return_reason_id: str) -> None:
    """Soft-delete a return reason. Raises ReturnReasonNotFound, ReasonHasChildren, Forbidden."""
    actor.require("orders.delete_returnreason")
    rows = ReturnReason.objects.not_deleted().filter(pk=return_reason_id)
    found = lock_rows(rows) if is_storable(return_reason_id) else []
    if not found:
        raise ReturnReasonNotFound(return_reason_id)
    if ReturnReason.objects.not_deleted().filter(parent_return_reason=return_reason_id).exists():
        raise ReasonHasChildren(found[0].label)
    soft_deletion.delete(found[0])
