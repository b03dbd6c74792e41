"""Refund reasons, as staff maintain them."""

from collections.abc import Collection
from functools import partial

from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.verbs import RowVerbs
from payments.collections.order_steps import PAYMENT_STEPS
from payments.errors import RefundReasonInUse
from payments.models import Intent, Refund, RefundReason


def _require_unused(reasons: Collection[RefundReason]) -> None:
    """Raise RefundReasonInUse for a reason that a refund or an open request names."""
    for reason in reasons:
        uses = Refund.objects.filter(refund_reason=reason).count() + PAYMENT_STEPS.get().credit_refunds(reason.pk)
        if uses or Intent.objects.filter(refund_reason=reason, done_at=None).exists():
            raise RefundReasonInUse(reason.label, uses)


VERBS = RowVerbs(
    RefundReason,
    ("code", "label", "description", "metadata"),
    delete=partial(delete_rows, check=_require_unused),
    restore=restore_rows,
)
"""code: unique."""
