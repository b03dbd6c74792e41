"""Refunding captured money."""

from decimal import Decimal
from functools import partial

from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import retry_on_conflict
from commerce.kit.core.text import checked, is_storable
from payments.errors import NothingToRefund, RefundReasonNotFound
from payments.intents import carry_out
from payments.models import Payment, RefundReason
from payments.movements import pending_amount, record_movement
from payments.states import Act

LONGEST_NOTE = 1_000


def refund(
    *,
    actor: Actor,
    payment_id: str,
    amount: Decimal | None = None,
    refund_reason_id: str | None = None,
    note: str | None = None,
    idempotency_digest: str | None = None,
) -> None:
    """Have the provider refund the amount, by default the whole remaining amount.

    amount: in major units of the payment's currency. idempotency_digest: a second call with the same does nothing.
    Must not be called inside a transaction (RuntimeError).
    Raises PaymentNotFound, RefundReasonNotFound, NothingToRefund, InvalidData (amount, note), ProviderRefused,
    ProviderUnavailable (the request is retried), Conflict, KeyOfAnotherRequest, AmountChanged, Forbidden.
    """
    actor.require("payments.add_refund")
    if refund_reason_id is not None and not _is_reason(refund_reason_id):
        raise RefundReasonNotFound(refund_reason_id)
    if note is not None:
        checked(note, field="note", longest=LONGEST_NOTE)
    record = partial(
        record_movement,
        Act.REFUND,
        actor=actor,
        payment_id=payment_id,
        amount=amount,
        available=refundable_amount,
        too_much=NothingToRefund,
        note=note,
        refund_reason_id=refund_reason_id,
        idempotency_digest=idempotency_digest,
    )
    carry_out(retry_on_conflict(record))


def refundable_amount(payment: Payment) -> Decimal:
    """In major units, less what is being refunded."""
    left: Decimal = payment.captured_amount - payment.refunded_amount - pending_amount(payment, Act.REFUND)
    return max(left, Decimal(0))


def _is_reason(refund_reason_id: str) -> bool:
    return is_storable(refund_reason_id) and RefundReason.objects.not_deleted().filter(pk=refund_reason_id).exists()
