"""Deleting refund reasons."""

from django.db import transaction

from kit.database.locking import lock_row
from kit.domain import soft_deletion
from kit.domain.actor import Actor
from payments.collections.order_steps import PAYMENT_STEPS
from payments.errors import RefundReasonInUse, RefundReasonNotFound
from payments.models import Intent, Refund, RefundReason


@transaction.atomic
def delete(*, actor: Actor, refund_reason_id: str) -> None:
    """Soft-delete a refund reason.

    Raises RefundReasonNotFound, RefundReasonInUse if a refund or an open request names it, Forbidden.
    """
    actor.require("payments.delete_refundreason")
    reason: RefundReason | None = lock_row(RefundReason.objects.not_deleted(), refund_reason_id)
    if reason is None:
        raise RefundReasonNotFound(refund_reason_id)
    uses = Refund.objects.filter(refund_reason=refund_reason_id).count()
    uses += PAYMENT_STEPS.get().credit_refunds(refund_reason_id)
    if uses or Intent.objects.filter(refund_reason=refund_reason_id, done_at=None).exists():
        raise RefundReasonInUse(reason.label, uses)
    soft_deletion.delete(reason)
