"""Refunding captured money."""

from decimal import Decimal
from functools import partial
from typing import NamedTuple

from django.db.models import F, Max

from kit.domain.actor import Actor
from kit.values.money import major, stored
from kit.values.text import checked, is_storable
from payments.collections.collection_rows import CollectionRow, SessionRow
from payments.collections.locked_collection import read_locked
from payments.collections.order_steps import PAYMENT_STEPS
from payments.errors import NothingToRefund, UnknownRefundReason
from payments.models import Payment, PaymentCollection, RefundReason
from payments.movements.movements import move, pending_amount, record_movement
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
    no_notification: bool | None = None,
) -> None:
    """Have the provider refund the amount, by default the whole remaining amount.

    If the payment belongs to an order, at most what can still be refunded of the order, which lists the refund once the
    money has moved. orders.refunds.creation refunds an order from all its payments and credit.
    amount: in major units of the payment's currency. idempotency_digest: a second call with the same does nothing.
    no_notification: whether the customer gets no email about it.
    Must not be called inside a transaction (RuntimeError).
    Raises PaymentNotFound, UnknownRefundReason, NothingToRefund, InvalidData (amount, note), PaymentProviderRefused,
    ProviderUnavailable, Conflict, KeyOfAnotherRequest, AmountChanged, Forbidden. A request to a provider that is not
    local is retried after ProviderUnavailable.
    """
    actor.require("payments.add_refund")
    if refund_reason_id is not None and not is_reason(refund_reason_id):
        raise UnknownRefundReason(refund_reason_id)
    if note is not None:
        checked(note, field="note", longest=LONGEST_NOTE)
    record = partial(
        record_movement,
        Act.REFUND,
        actor=actor,
        payment_id=payment_id,
        amount=amount,
        available=_available,
        too_much=NothingToRefund,
        note=note,
        refund_reason_id=refund_reason_id,
        idempotency_digest=idempotency_digest,
        no_notification=no_notification,
    )
    move(record)


def refundable_amount(payment: Payment) -> Decimal:
    """In major units, less what is being refunded. At most what can be refunded of its order, if it has one."""
    return major(_at_most_of_order(stored(_refundable(payment)), payment.session.collection.order_id))


class RefundablePayment(NamedTuple):
    """A payment of which money can be refunded. amount: in 1/10,000, less what is being refunded."""

    id: str
    session_id: str
    amount: int


def refundable_payments(order_id: str) -> list[RefundablePayment]:
    """The order's payments of which money can be refunded, the most recently captured first.

    Why: docs/decisions/refunds.md#refunds-go-to-payments-first.
    """
    captured = Payment.objects.not_deleted().filter(
        collection__order_id=order_id, currency=F("collection__currency"), captured_amount__gt=F("refunded_amount")
    )
    payments = captured.annotate(last_captured=Max("captures__created_at")).order_by("-last_captured", "-pk")
    amounts = [(payment, stored(_refundable(payment))) for payment in payments]
    return [RefundablePayment(payment.pk, payment.session_id, amount) for payment, amount in amounts if amount]


def lock_payments_of(order_id: str) -> None:
    """Lock the collections of a locked order, so that intents can be recorded."""
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    for collection_id in collections.values_list("pk", flat=True):
        read_locked(collection_id)


def is_reason(refund_reason_id: str) -> bool:
    """Whether a refund can name the reason."""
    return is_storable(refund_reason_id) and RefundReason.objects.not_deleted().filter(pk=refund_reason_id).exists()


def _refundable(payment: Payment) -> Decimal:
    pending = major(pending_amount(payment.session_id, Act.REFUND))
    left: Decimal = payment.captured_amount - payment.refunded_amount - pending
    return max(left, Decimal(0))


def _available(collection: CollectionRow, session: SessionRow, pending: int) -> int:
    payment = session.payment
    left = 0 if payment is None else max(payment.captured_amount - payment.refunded_amount - pending, 0)
    return _at_most_of_order(left, collection.order_id)


def _at_most_of_order(left: int, order_id: str | None) -> int:
    return left if order_id is None else min(left, stored(PAYMENT_STEPS.get().refundable(order_id)))
