"""Recording provider reports: sessions, their payments, and the totals of collections.

Callers hold a transaction. A collection is locked before any row below it, and a cart before its collection.
"""

from decimal import Decimal

import structlog
from django.db.models import Q, Sum

from commerce.kit.core.locking import lock_rows
from commerce.kit.core.money import stored
from commerce.kit.core.timestamps import now
from payments.errors import CollectionNotFound, SessionNotFound
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, Refund
from payments.money_events import record_money_event
from payments.providers.base import ProviderReport
from payments.states import COLLECTIONS, SESSIONS, Act, CollectionStatus, SessionStatus, collection_status

log = structlog.get_logger(__name__)

_AUTHORIZED = frozenset({SessionStatus.AUTHORIZED, SessionStatus.CAPTURED})


def lock_collection(collection_id: str) -> PaymentCollection:
    """The collection, locked until the transaction ends. Raises CollectionNotFound."""
    found: list[PaymentCollection] = lock_rows(PaymentCollection.objects.filter(pk=collection_id))
    if not found:
        raise CollectionNotFound(collection_id)
    return found[0]


def lock_session(session_id: str) -> PaymentSession:
    """The session, whose collection is locked until the transaction ends. Raises SessionNotFound."""
    found: list[PaymentCollection] = lock_rows(PaymentCollection.objects.filter(payment_sessions=session_id))
    if not found:
        raise SessionNotFound(session_id)
    session: PaymentSession = PaymentSession.objects.get(pk=session_id)
    (session.collection,) = found
    return session


def record(session: PaymentSession, report: ProviderReport, *, intent: Intent | None = None) -> bool:
    """Apply a provider's report to a session of a locked collection. Money that has moved is always recorded.

    intent: the request that the report answers; None for an event.
    Returns whether the collection's status or amount due may have changed.
    """
    payment = Payment.objects.filter(session=session).first()
    before = SessionStatus(session.status)
    authorized, captured = _amounts(session, payment, report)
    is_new = _is_transition(before, report.status) or bool(captured)
    if is_new or intent is not None:  # a late event describes an earlier state
        session.data = dict(report.data)
    if is_new and authorized is not None:
        payment = payment or _payment(session, authorized)
        for moved in _apply_amounts(payment, authorized, captured, report.refunded, intent):
            record_money_event(moved, order_of=session.collection.order_id or session.collection.cart_id)
    session.status = _status(before, report.status, payment)
    if session.status != before:
        log.info("payment_session_moved", session=session.pk, before=before.value, after=session.status)
    if session.status in _AUTHORIZED and session.authorized_at is None:
        session.authorized_at = now()
    if session.status == SessionStatus.CANCELED:
        session.deleted_at = session.deleted_at or now()
        if payment is not None and report.status == SessionStatus.CANCELED:
            payment.canceled_at = payment.canceled_at or now()
            payment.save()
    else:
        session.deleted_at = None
    session.save()
    matters = session.status != before or payment is not None
    if matters:
        update_totals(session.collection)
    return matters


def update_totals(collection: PaymentCollection) -> None:
    """Recompute the totals and the status of a locked collection."""
    payments = Payment.objects.filter(collection=collection, currency_id=collection.currency_id)
    held = Q(canceled_at=None) & ~Q(session__status=SessionStatus.CANCELED)
    sums = payments.aggregate(
        authorized=Sum("authorized_amount", filter=held | Q(captured_amount__gt=0)),
        captured=Sum("captured_amount"),
        refunded=Sum("refunded_amount"),
    )
    collection.authorized_amount = sums["authorized"] or Decimal(0)
    collection.captured_amount = sums["captured"] or Decimal(0)
    collection.refunded_amount = sums["refunded"] or Decimal(0)
    before = CollectionStatus(collection.status)
    sessions = PaymentSession.objects.filter(collection=collection, currency_id=collection.currency_id)
    alive = sessions.exclude(status=SessionStatus.CANCELED)
    after = collection_status(
        before=before,
        amount=stored(collection.amount),
        authorized=stored(collection.authorized_amount),
        captured=stored(collection.captured_amount),
        sessions=[SessionStatus(status) for status in alive.values_list("status", flat=True)],
    )
    if after != before:
        COLLECTIONS.check(before=before, after=after)
        collection.status = after
    is_complete = after == CollectionStatus.COMPLETED
    collection.completed_at = (collection.completed_at or now()) if is_complete else None
    collection.save()


def _amounts(
    session: PaymentSession, payment: Payment | None, report: ProviderReport
) -> tuple[Decimal | None, Decimal | None]:
    """The total authorized and captured amounts; None if unknown."""
    captured = report.captured
    if captured is None and report.status == SessionStatus.CAPTURED:
        captured = session.amount
    if report.refunded:  # refunded money was captured, even if the capture is reported later
        captured = max(captured or Decimal(0), report.refunded)
    authorized = report.authorized
    if authorized is None:
        is_authorized = report.status in _AUTHORIZED or captured
        authorized = payment.authorized_amount if payment else session.amount if is_authorized else None
    if payment is not None and session.status == SessionStatus.CAPTURED:
        authorized = payment.authorized_amount  # the rest was released: a higher amount is a late report
    if authorized is not None:  # captured money was authorized, even if a late report says less
        total = max(captured or Decimal(0), payment.captured_amount if payment else Decimal(0))
        is_over = SessionStatus.CANCELED in (session.status, report.status)
        authorized = total if total and is_over else max(authorized, total)
    return authorized, captured


def _is_transition(before: SessionStatus, after: SessionStatus) -> bool:
    return after == before or after in SESSIONS.allowed[before]


def _status(before: SessionStatus, reported: SessionStatus, payment: Payment | None) -> SessionStatus:
    """Captured money decides the status, since reports may come late."""
    if payment is not None and payment.captured_amount:
        is_whole = payment.captured_amount >= payment.authorized_amount
        return SessionStatus.CAPTURED if is_whole else SessionStatus.AUTHORIZED
    return reported if _is_transition(before, reported) else before


def _payment(session: PaymentSession, authorized: Decimal) -> Payment:
    return Payment(
        session=session,
        collection=session.collection,
        provider_id=session.provider_id,
        currency_id=session.currency_id,
        amount=session.amount,
        authorized_amount=authorized,
    )


def _apply_amounts(
    payment: Payment, authorized: Decimal, captured: Decimal | None, refunded: Decimal | None, intent: Intent | None
) -> list[Capture | Refund]:
    """Record the difference between the provider's totals and the stored ones. Returns the new rows of moved money."""
    moved: list[Capture | Refund] = []
    payment.authorized_amount = authorized
    newly_captured = (captured or Decimal(0)) - payment.captured_amount
    newly_refunded = (refunded or Decimal(0)) - payment.refunded_amount
    if newly_captured > 0:
        payment.captured_amount += newly_captured
    if payment.captured_amount and payment.captured_amount >= authorized:
        payment.captured_at = payment.captured_at or now()
    if newly_refunded > 0:
        payment.refunded_amount += newly_refunded
    payment.save()
    if newly_captured > 0:
        source = _intent_behind(payment, Act.CAPTURE, newly_captured, intent)
        by = source.created_by if source else None
        moved.append(Capture.objects.create(payment=payment, amount=newly_captured, created_by=by, intent=source))
    if newly_refunded > 0:
        source = _intent_behind(payment, Act.REFUND, newly_refunded, intent)
        about = (
            {"created_by": source.created_by, "refund_reason_id": source.refund_reason_id, "note": source.note}
            if source
            else {}
        )
        moved.append(Refund.objects.create(payment=payment, amount=newly_refunded, intent=source, **about))
    return moved


def _intent_behind(payment: Payment, act: Act, amount: Decimal, intent: Intent | None) -> Intent | None:
    """The intent that moved the money; None if it was moved at the provider.

    An event may arrive before the response to our request. Each intent moves money once.
    """
    candidates = Intent.objects.filter(session_id=payment.session_id, act=act, **{act.value: None})
    if intent is not None and intent.act == act:
        candidates = candidates.filter(pk=intent.pk)
    else:
        candidates = candidates.filter(Q(amount=amount), done_at=None)
    found: Intent | None = candidates.order_by("pk").first()
    return found
