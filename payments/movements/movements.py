"""Capturing and refunding: an amount of a payment, at most the remaining one."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple

import structlog
from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import DomainError, InvalidData
from kit.reads.sql.keyed_rows import KeyedRows
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from kit.values.ids import new_id
from kit.values.money import exact, major, rounded, stored
from kit.values.timestamps import now
from payments.collections.collection_rows import CollectionRow, SessionRow
from payments.collections.locked_collection import LockedCollection, lock_payment
from payments.errors import AmountChanged, CaptureUnderWay, PaymentProviderRefused
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.providers.base import Declined
from payments.providers.registry import is_local
from payments.requests.intent_rows import insert_intent
from payments.requests.intents import adjust, carry_out, record_intent
from payments.requests.local_requests import NO_REASON
from payments.requests.provider_reports import Request, record
from payments.requests.provider_requests import send_locally
from payments.states import Act, Result

log = structlog.get_logger(__name__)

Available = Callable[[CollectionRow, SessionRow, int], int]
"""The remaining amount of a session's payment, given what open requests are about to move. All in 1/10,000."""


class Recorded(NamedTuple):
    """intent_id: of the request that the caller has to carry out; None if a local provider has responded.

    refusal: why it refused. claimed: the request, if the caller has claimed it.
    """

    intent_id: str | None
    refusal: str = ""
    claimed: Intent | None = None


class _Movement(NamedTuple):
    """What was requested, as record_intent and insert_intent take it. amount: in major units."""

    act: Act
    amount: Decimal
    note: str | None
    refund_reason_id: str | None
    created_by: str | None
    idempotency_digest: str | None
    no_notification: bool | None


def move(record: Callable[[], Recorded]) -> None:
    """Move money by record_movement with its arguments. Must not be called inside a transaction (RuntimeError).

    Raises what that raises, and PaymentProviderRefused, ProviderUnavailable, Conflict.
    """
    recorded = retry_on_conflict(record)
    if recorded.intent_id is not None:
        carry_out(recorded.intent_id, recorded.claimed)
    elif recorded.refusal:
        raise PaymentProviderRefused(recorded.refusal)


@transaction.atomic(durable=True)
def record_movement(
    act: Act,
    *,
    actor: Actor,
    payment_id: str,
    amount: Decimal | None,
    available: Available,
    too_much: Callable[[Decimal, str], DomainError],
    note: str | None = None,
    refund_reason_id: str | None = None,
    idempotency_digest: str | None = None,
    no_notification: bool | None = None,
    confirm: Callable[[], None] | None = None,
) -> Recorded:
    """Record the request to move the amount, in major units, by default the whole remaining amount.

    A local provider moves the money in the same transaction. With the idempotency_digest of an earlier call, returns
    the request that it recorded. too_much: the error above the remaining amount. confirm: called once the payment is
    locked; whatever it raises ends the call.
    Raises that, and PaymentNotFound, InvalidData (amount), CaptureUnderWay, KeyOfAnotherRequest, AmountChanged,
    ProviderUnavailable (for a local provider: nothing is recorded), and Conflict while an attempt to complete the cart
    is under way.
    """
    collection, session = lock_payment(payment_id)
    collection.require_unclosed()
    if recorded := _recorded(act, session, amount, idempotency_digest):
        return recorded
    if confirm:
        confirm()
    open_requests = _OPEN.read([session.id])
    if act is Act.CAPTURE and any(each.act == act for each in open_requests):
        raise CaptureUnderWay
    pending = _added(open_requests, act)
    remaining = available(collection.row, session, pending)
    requested = remaining if amount is None else stored(exact(amount, session.currency_id))
    if amount is not None and requested <= 0:
        raise InvalidData("Field 'amount' must be greater than 0")
    if not 0 < requested <= remaining:
        raise too_much(rounded(major(remaining), session.currency_id), session.currency_id)
    movement = _Movement(act, major(requested), note, refund_reason_id, actor.id, idempotency_digest, no_notification)
    if open_requests:  # requests of a session are carried out in order
        return Recorded(record_intent(session.id, runs_now=True, **movement._asdict()))
    if is_local(session.provider_id):
        return _move_locally(collection, session, movement)
    return _record_claimed(collection.row, session, movement)


def capture_locally(
    collection: LockedCollection, session: SessionRow, *, note: str | None, created_by: str | None
) -> None:
    """Capture the whole session, which a local provider has just authorized. note: for staff.

    Raises PaymentProviderRefused, ProviderUnavailable.
    """
    movement = _Movement(Act.CAPTURE, major(session.amount), note, None, created_by, None, None)
    refusal = _move_locally(collection, session, movement).refusal
    if refusal:
        raise PaymentProviderRefused(refusal)


def pending_amount(session_id: str, act: Act) -> int:
    """The amount of open requests, in 1/10,000."""
    return _added(_OPEN.read([session_id]), act)


def captures_under_way(order_id: str) -> int:
    """What open requests capture of all payments of the order, in 1/10,000. One statement."""
    return _added(_OPEN_OF_ORDER.read([order_id]), Act.CAPTURE)


def _added(open_requests: "Iterable[_OpenRow]", act: Act) -> int:
    return sum(each.amount or 0 for each in open_requests if each.act == act)


def _recorded(act: Act, session: SessionRow, amount: Decimal | None, idempotency_digest: str | None) -> Recorded | None:
    """What an earlier call with the same digest recorded."""
    found = [] if idempotency_digest is None else _OF_DIGEST.read([idempotency_digest])
    if not found:
        return None
    (intent,) = found
    if (intent.session_id, intent.act) != (session.id, act):
        raise KeyOfAnotherRequest
    if amount is not None and intent.amount != stored(exact(amount, session.currency_id)):
        raise AmountChanged
    return Recorded(intent.id)


def _move_locally(collection: LockedCollection, session: SessionRow, movement: _Movement) -> Recorded:
    intent_id, act, about = new_id("payint"), movement.act, movement._asdict()
    try:
        report = send_locally(session, act, cart_id=collection.row.cart_id, amount=movement.amount, key=intent_id)
    except Declined as declined:
        refusal = str(declined) or NO_REASON
        insert_intent(session.id, intent_id=intent_id, result=Result.REFUSED, error=refusal, **about)
        log.warning("payment_provider_refused", provider=session.provider_id, intent=intent_id, act=act)
        return Recorded(None, refusal)
    insert_intent(session.id, intent_id=intent_id, result=Result.DONE, **about)
    if record(collection.row, session, report, request=Request(intent_id, act)):
        adjust(collection)
    collection.write()
    return Recorded(None)


def _record_claimed(collection: CollectionRow, session: SessionRow, movement: _Movement) -> Recorded:
    """Record a request that this process will send. Inserting it as claimed saves the transaction of a claim."""
    moment = now()
    intent_id = insert_intent(session.id, claimed_at=moment, **movement._asdict())
    claimed = Intent(
        id=intent_id,
        session=_as_sent(collection, session),
        act=movement.act,
        amount=movement.amount,
        claimed_at=moment,
        attempts=1,
    )
    return Recorded(intent_id, claimed=claimed)


def _as_sent(collection: CollectionRow, session: SessionRow) -> PaymentSession:
    """The session, with everything that a request to its provider needs."""
    return PaymentSession(
        id=session.id,
        collection=PaymentCollection(id=collection.id, cart_id=collection.cart_id),
        provider_id=session.provider_id,
        currency_id=session.currency_id,
        amount=major(session.amount),
        data=session.data,
        context=session.context,
        status=session.status,
    )


class _OpenRow(NamedTuple):
    act: str
    amount: int | None


class _IntentRow(NamedTuple):
    id: str
    session_id: str
    act: str
    amount: int | None


_OPEN = KeyedRows(lambda: Intent.objects.filter(done_at=None), key="session_id", row=_OpenRow)
_OPEN_OF_ORDER = KeyedRows(
    lambda: Intent.objects.filter(done_at=None), key="session__collection__order_id", row=_OpenRow
)
_OF_DIGEST = KeyedRows(Intent.objects.all, key="idempotency_digest", row=_IntentRow)
