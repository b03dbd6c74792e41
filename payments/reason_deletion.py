"""Deleting refund reasons."""

from django.db import transaction

from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.text import is_storable
from payments.errors import RefundReasonInUse, RefundReasonNotFound
from payments.models import Intent, Refund, RefundReason


@transaction.atomic
def delete(*, actor: Actor, refund_reason_id: str) -> None:
    """Soft-delete a refund reason.

    Raises RefundReasonNotFound, RefundReasonInUse if a refund or an open request names it, Forbidden.
    """
    actor.require("payments.delete_refundreason")
    rows = RefundReason.objects.not_deleted().filter(pk=refund_reason_id)
    found = lock_rows(rows) if is_storable(refund_reason_id) else []
    if not found:
        raise RefundReasonNotFound(refund_reason_id)
    uses = Refund.objects.filter(refund_reason=refund_reason_id).count()
    if uses or Intent.objects.filter(refund_reason=refund_reason_id, done_at=None).exists():
        raise RefundReasonInUse(found[0].label, uses)
    soft_deletion.delete(found[0])
