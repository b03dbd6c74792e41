"""Capturing authorized money."""

from decimal import Decimal
from functools import partial

from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import retry_on_conflict
from payments.errors import NothingToCapture
from payments.intents import carry_out, record_intent
from payments.models import Payment, PaymentCollection
from payments.movements import pending_amount, record_movement
from payments.open_collection import open_locked
from payments.order_steps import PAYMENT_STEPS
from payments.states import Act


def capture(
    *, actor: Actor, payment_id: str, amount: Decimal | None = None, idempotency_digest: str | None = None
) -> None:
    """Have the provider capture the amount, by default the whole remaining amount.

    amount: in major units of the payment's currency. idempotency_digest: a second call with the same does nothing.
    Must not be called inside a transaction (RuntimeError).
    Raises PaymentNotFound, NothingToCapture, InvalidData (amount), ProviderRefused, ProviderUnavailable (the request
    is retried), Conflict, KeyOfAnotherRequest, AmountChanged, Forbidden.
    """
    actor.require("payments.add_capture")
    record = partial(
        record_movement,
        Act.CAPTURE,
        actor=actor,
        payment_id=payment_id,
        amount=amount,
        available=capturable_amount,
        too_much=NothingToCapture,
        idempotency_digest=idempotency_digest,
    )
    carry_out(retry_on_conflict(record))


def capture_of_order(order_id: str) -> None:
    """Record the capture of all that the order's payments have authorized, for the background worker.

    For a caller whose transaction has locked the order. Repeating it records nothing again.
    """
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    for collection_id in collections.values_list("pk", flat=True):
        open_locked(collection_id)
        payments = Payment.objects.not_deleted().filter(collection=collection_id).select_related("session__collection")
        for payment in payments.order_by("pk"):
            amount = capturable_amount(payment)
            if amount > 0:
                record_intent(payment.session_id, Act.CAPTURE, runs_now=False, amount=amount)


def capturable_amount(payment: Payment) -> Decimal:
    """In major units, less what is being captured; 0 for a canceled payment.

    At most the amount due of the collection, which other payments may have reduced, and of its order, which returns may
    have reduced.
    """
    if payment.canceled_at is not None or payment.session.deleted_at is not None:
        return Decimal(0)
    pending = pending_amount(payment, Act.CAPTURE)
    authorized: Decimal = payment.authorized_amount - payment.captured_amount
    collection = payment.session.collection
    due = collection.amount_due
    if collection.order_id is not None:
        due = min(due, PAYMENT_STEPS.get().due(collection.order_id))
    return max(min(authorized, due) - pending, Decimal(0))
