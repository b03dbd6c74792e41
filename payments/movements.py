"""Recording captures and refunds: an amount of a payment, at most the remaining one."""

from collections.abc import Callable
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum

from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import DomainError, InvalidData
from commerce.kit.core.money import exact, rounded
from commerce.kit.idempotency.replay import KeyOfAnotherRequest
from payments.errors import AmountChanged, PaymentNotFound
from payments.intents import record_intent
from payments.models import Intent, Payment
from payments.open_collection import lock_session
from payments.states import Act


def pending_amount(payment: Payment, act: Act) -> Decimal:
    """The amount of open requests, in major units."""
    pending = Intent.objects.filter(session_id=payment.session_id, act=act, done_at=None)
    return pending.aggregate(sum=Sum("amount"))["sum"] or Decimal(0)


@transaction.atomic(durable=True)
def record_movement(
    act: Act,
    *,
    actor: Actor,
    payment_id: str,
    amount: Decimal | None,
    available: Callable[[Payment], Decimal],
    too_much: Callable[[Decimal, str], DomainError],
    note: str | None = None,
    refund_reason_id: str | None = None,
    idempotency_digest: str | None = None,
) -> str:
    """Record an intent for the amount, by default the whole remaining amount, or find the one with that digest.

    available: returns the remaining amount of a payment whose collection is locked. too_much: the error above it.
    Returns the intent's id. Raises Conflict while an attempt to complete the cart is under way.
    """
    payment = _locked(payment_id)
    recorded: Intent | None = (
        Intent.objects.filter(idempotency_digest=idempotency_digest).first() if idempotency_digest is not None else None
    )
    if recorded is not None:
        if (recorded.session_id, recorded.act) != (payment.session_id, act):
            raise KeyOfAnotherRequest
        if amount is not None and recorded.amount != exact(amount, payment.currency_id):
            raise AmountChanged
        return str(recorded.pk)
    remaining = available(payment)
    requested = remaining if amount is None else exact(amount, payment.currency_id)
    if amount is not None and requested <= 0:
        raise InvalidData("Field 'amount' must be greater than 0")
    if not 0 < requested <= remaining:
        raise too_much(rounded(remaining, payment.currency_id), payment.currency_id)
    return record_intent(
        payment.session_id,
        act,
        runs_now=True,
        amount=requested,
        note=note,
        refund_reason_id=refund_reason_id,
        created_by=actor.id,
        idempotency_digest=idempotency_digest,
    )


def _locked(payment_id: str) -> Payment:
    found = Payment.objects.not_deleted().with_id(payment_id)
    if found is None:
        raise PaymentNotFound(payment_id)
    collection, _ = lock_session(found.session_id)
    collection.require_unclosed()
    payment: Payment = Payment.objects.select_related("session__collection").get(pk=found.pk)
    return payment
