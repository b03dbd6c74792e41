"""Refunding an order."""

from contextlib import suppress
from decimal import Decimal
from functools import partial

from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import Conflict, InvalidData
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from kit.values.money import exact, stored
from kit.values.text import checked
from orders.common.locked_order import lock_order
from orders.models import GrantedRefund, Order, RefundPart, Return
from orders.refunds.errors import OrderChanged, ReasonRequired, ReturnNotRefundable, UnknownReturn
from orders.refunds.granting import RefundTerms, grant
from orders.states import ReturnStatus
from payments.errors import AmountChanged, PaymentProviderRefused, UnknownRefundReason
from payments.movements.refunding import LONGEST_NOTE, is_reason
from payments.requests.intents import carry_out
from shop.errors import ProviderUnavailable


def create(
    *,
    actor: Actor,
    order_id: str,
    amount: Decimal,
    refund_reason_id: str | None = None,
    return_id: str | None = None,
    note: str | None = None,
    to_store_credit: bool = False,
    no_notification: bool | None = None,
    idempotency_digest: str | None = None,
    version: int | None = None,
) -> str:
    """Refund an amount of what was paid for the order. Returns the refund's id.

    Payments are refunded first, the most recently captured one first, then gift cards and store credit. All parts are
    recorded in one transaction; then the providers are called. Each part has its outcome: what a provider declined can
    be refunded again, for example as store credit, and the background worker retries a provider that did not answer.
    amount: in major units. refund_reason_id or return_id is required. to_store_credit: refund all of it to the
        customer's store credit instead. no_notification: whether the customer gets no email about it.
    idempotency_digest: a second call with the same digest writes nothing.
    version: of the order, if the refund must not be granted once the order has another.
    Must not be called inside a transaction (RuntimeError).
    Raises OrderNotFound, ReasonRequired, UnknownRefundReason, UnknownReturn, ReturnNotRefundable, the errors of
    `grant`, InvalidData (amount, note), OrderChanged, KeyOfAnotherRequest, AmountChanged, Forbidden.
    """
    actor.require("payments.add_refund")
    terms = RefundTerms(
        refund_reason_id=refund_reason_id,
        return_id=return_id,
        note=note,
        to_store_credit=to_store_credit,
        no_notification=no_notification,
        created_by=actor.id,
        idempotency_digest=idempotency_digest,
    )
    refund_id = retry_on_conflict(partial(_record, order_id, amount, terms, version))
    call_providers(refund_id)
    return refund_id


def check_terms(terms: RefundTerms) -> None:
    """Raise ReasonRequired, UnknownRefundReason, InvalidData (note)."""
    if terms.refund_reason_id is None and terms.return_id is None:
        raise ReasonRequired
    if terms.refund_reason_id is not None and not is_reason(terms.refund_reason_id):
        raise UnknownRefundReason(terms.refund_reason_id)
    if terms.note is not None:
        checked(terms.note, field="note", longest=LONGEST_NOTE)


@transaction.atomic(durable=True)
def _record(order_id: str, amount: Decimal, terms: RefundTerms, version: int | None) -> str:
    order = lock_order(order_id)
    requested = checked_amount(order, amount)
    if (known := recorded(order, terms, requested)) is not None:
        if known.return_id != terms.return_id:
            raise KeyOfAnotherRequest
        return str(known.pk)
    check_version(order, version)
    check_terms(terms)
    _check_return(order, terms.return_id)
    return grant(order, stored(requested), terms, runs_now=True)


def checked_amount(order: Order, amount: Decimal) -> Decimal:
    """The amount, in major units. Raises InvalidData for one that is not above 0, or too precise."""
    requested = exact(amount, order.currency_id)
    if requested <= 0:
        raise InvalidData("Field 'amount' must be greater than 0")
    return requested


def check_version(order: Order, version: int | None) -> None:
    """Raise OrderChanged if the order has another version; None for any."""
    if version not in (None, order.version):
        raise OrderChanged(order)


def _check_return(order: Order, return_id: str | None) -> None:
    if return_id is None:
        return
    named: Return | None = order.returns.not_deleted().with_id(return_id)
    if named is None:
        raise UnknownReturn(return_id)
    if named.status in {ReturnStatus.OPEN, ReturnStatus.CANCELED}:
        raise ReturnNotRefundable(named.status)


def recorded(order: Order, terms: RefundTerms, amount: Decimal | None) -> GrantedRefund | None:
    """What an earlier request with the same Idempotency-Key recorded, if its response was not stored.

    amount: None for what that request calculated. Raises KeyOfAnotherRequest, AmountChanged.
    """
    if terms.idempotency_digest is None:
        return None
    found: GrantedRefund | None = GrantedRefund.objects.filter(idempotency_digest=terms.idempotency_digest).first()
    if found is None:
        return None
    same = ("refund_reason_id", "to_store_credit")
    if found.order_id != order.pk or any(getattr(found, name) != getattr(terms, name) for name in same):
        raise KeyOfAnotherRequest
    if amount not in (None, found.amount):
        raise AmountChanged
    return found


def call_providers(refund_id: str) -> None:
    """Carry out the open intents. The parts show the outcome; the background worker retries what stays open."""
    parts = RefundPart.objects.filter(refund=refund_id, intent__done_at=None).exclude(intent=None)
    for intent_id in parts.order_by("rank").values_list("intent", flat=True):
        with suppress(PaymentProviderRefused, ProviderUnavailable, Conflict):
            carry_out(intent_id)
