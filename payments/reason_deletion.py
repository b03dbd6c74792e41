"""Giving up a refund reason that nothing was refunded for."""

from django.db import transaction

from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows
from payments.errors import RefundReasonInUse, RefundReasonNotFound
from payments.models import Intent, Refund, RefundReason


@transaction.atomic
def delete(*, actor: Actor, refund_reason_id: str) -> None:
    """Let nobody choose it any more; it can be restored.

    Raises RefundReasonNotFound, RefundReasonInUse where a refund names it, or one that is being asked for; Forbidden.
    """
    actor.require("payments.delete_refundreason")
    found = lock_rows(RefundReason.objects.not_deleted().filter(pk=refund_reason_id))
    if not found:
        raise RefundReasonNotFound(refund_reason_id)
    uses = Refund.objects.filter(refund_reason=refund_reason_id).count()
    if uses or Intent.objects.filter(refund_reason=refund_reason_id, done_at=None).exists():
        raise RefundReasonInUse(found[0].label, uses)
    soft_deletion.delete(found[0])
