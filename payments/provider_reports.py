"""Recording how sessions stand at their providers, and what follows for payments and collections.

Callers hold a transaction. A collection's row is locked before any row below it, and a cart's before its collection's.
"""

from decimal import Decimal

import structlog
from django.db.models import Q, Sum

from commerce.kit.core.locking import lock_rows
from commerce.kit.core.money import stored
from commerce.kit.core.timestamps import now
from payments.errors import CollectionNotFound, SessionNotFound
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, Refund
from payments.providers.base import ProviderReport
from payments.states import COLLECTIONS, SESSIONS, Act, CollectionStatus, SessionStatus, collection_status

log = structlog.get_logger(__name__)

_PROMISED = frozenset({SessionStatus.AUTHORIZED, SessionStatus.CAPTURED})


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
    """Let the session of a locked collection stand as its provider says. Money that has moved is always recorded.

    intent: what the provider was asked; None where it tells by itself.
    Returns whether that may matter to the collection: what is left to pay, or its status.
    """
    payment = Payment.objects.filter(session=session).first()
    before = SessionStatus(session.status)
    promised, captured = _amounts(session, payment, report)
    is_news = _is_transition(before, report.status) or bool(captured)
    if is_news or intent is not None:  # an event that comes late describes what was before
        session.data = dict(report.data)
    if is_news and promised is not None:
        payment = payment or _payment(session, promised)
        _apply_amounts(payment, promised, captured, report.refunded, intent)
    session.status = _status(before, report.status, payment)
    if session.status != before:
        log.info("payment_session_moved", session=session.pk, before=before.value, after=session.status)
    if session.status in _PROMISED and session.authorized_at is None:
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
    """Keep what the locked collection's sums and status follow from its payments and sessions."""
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
    """What is promised, and what was captured of it, all in all; None where nobody has said anything of it."""
    captured = report.captured
    if captured is None and report.status == SessionStatus.CAPTURED:
        captured = session.amount
    if report.refunded:  # what went back had come, though the word of it may come later
        captured = max(captured or Decimal(0), report.refunded)
    promised = report.authorized
    if promised is None:
        is_promised = report.status in _PROMISED or captured
        promised = payment.authorized_amount if payment else session.amount if is_promised else None
    if payment is not None and session.status == SessionStatus.CAPTURED:
        promised = payment.authorized_amount  # the rest was released: word of more comes late
    if promised is not None:  # what was taken had been promised, also where the word of a smaller promise comes late
        taken = max(captured or Decimal(0), payment.captured_amount if payment else Decimal(0))
        is_over = SessionStatus.CANCELED in (session.status, report.status)
        promised = taken if taken and is_over else max(promised, taken)
    return promised, captured


def _is_transition(before: SessionStatus, after: SessionStatus) -> bool:
    return after == before or after in SESSIONS.allowed[before]


def _status(before: SessionStatus, said: SessionStatus, payment: Payment | None) -> SessionStatus:
    """Where money has moved, that says more than the provider's word, which may come late."""
    if payment is not None and payment.captured_amount:
        is_whole = payment.captured_amount >= payment.authorized_amount
        return SessionStatus.CAPTURED if is_whole else SessionStatus.AUTHORIZED
    return said if _is_transition(before, said) else before


def _payment(session: PaymentSession, promised: Decimal) -> Payment:
    return Payment(
        session=session,
        collection=session.collection,
        provider_id=session.provider_id,
        currency_id=session.currency_id,
        amount=session.amount,
        authorized_amount=promised,
    )


def _apply_amounts(
    payment: Payment, promised: Decimal, captured: Decimal | None, refunded: Decimal | None, intent: Intent | None
) -> None:
    """Add what is new of the provider's totals."""
    payment.authorized_amount = promised
    taken = (captured or Decimal(0)) - payment.captured_amount
    given_back = (refunded or Decimal(0)) - payment.refunded_amount
    if taken > 0:
        payment.captured_amount += taken
    if payment.captured_amount and payment.captured_amount >= promised:
        payment.captured_at = payment.captured_at or now()
    if given_back > 0:
        payment.refunded_amount += given_back
    payment.save()
    if taken > 0:
        asked = _intent_behind(payment, Act.CAPTURE, taken, intent)
        Capture.objects.create(
            payment=payment, amount=taken, created_by=asked.created_by if asked else None, intent=asked
        )
    if given_back > 0:
        asked = _intent_behind(payment, Act.REFUND, given_back, intent)
        about = (
            {"created_by": asked.created_by, "refund_reason_id": asked.refund_reason_id, "note": asked.note}
            if asked
            else {}
        )
        Refund.objects.create(payment=payment, amount=given_back, intent=asked, **about)


def _intent_behind(payment: Payment, act: Act, amount: Decimal, intent: Intent | None) -> Intent | None:
    """Who has asked for money that has moved; None where the provider did it of its own.

    What it tells by itself may be what it was asked, told before its answer: each intent moves money once.
    """
    asked = Intent.objects.filter(session_id=payment.session_id, act=act, **{act.value: None})
    if intent is not None and intent.act == act:
        asked = asked.filter(pk=intent.pk)
    else:
        asked = asked.filter(Q(amount=amount), done_at=None)
    found: Intent | None = asked.order_by("pk").first()
    return found
