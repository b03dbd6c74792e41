"""Recording what a provider reports about a session of an open collection. The caller writes the collection."""

from decimal import Decimal

import structlog
from django.db.models import Q

from commerce.kit.core.ids import new_id
from commerce.kit.core.money import major, stored
from commerce.kit.core.timestamps import now
from payments.collection_rows import PaymentRow, SessionRow
from payments.models import Capture, Intent, Refund
from payments.money_events import record_money_event
from payments.providers.base import ProviderReport
from payments.states import SESSIONS, Act, SessionStatus

log = structlog.get_logger(__name__)

_AUTHORIZED = frozenset({SessionStatus.AUTHORIZED, SessionStatus.CAPTURED})


def record(session: SessionRow, report: ProviderReport, *, intent: Intent | None = None) -> bool:
    """Apply a provider's report to a session. Money that has moved is always recorded.

    intent: the request that the report answers; None for an event.
    Returns whether the collection's status or amount due may have changed.
    """
    before = SessionStatus(session.status)
    authorized, captured, refunded = _amounts(session, report)
    is_new = _is_transition(before, report.status) or bool(captured)
    if is_new or intent is not None:  # a late event describes an earlier state
        session.data = dict(report.data)
    if is_new and authorized is not None:
        session.payment = session.payment or _payment(session, authorized)
        _apply_amounts(session.payment, authorized, captured or 0, refunded, intent)
    after = _status(before, report.status, session.payment)
    if after != before:
        log.info("payment_session_moved", session=session.id, before=before.value, after=after.value)
        session.status = after.value
    if after in _AUTHORIZED and session.authorized_at is None:
        session.authorized_at = now()
    if after == SessionStatus.CANCELED:
        session.deleted_at = session.deleted_at or now()
        if session.payment is not None and report.status == SessionStatus.CANCELED:
            session.payment.canceled_at = session.payment.canceled_at or now()
    else:
        session.deleted_at = None
    return after != before or session.payment is not None


def _amounts(session: SessionRow, report: ProviderReport) -> tuple[int | None, int | None, int]:
    """The total authorized and captured amounts, None if unknown, and the refunded one."""
    payment, refunded = session.payment, _units(report.refunded) or 0
    captured = _units(report.captured)
    if captured is None and report.status == SessionStatus.CAPTURED:
        captured = session.amount
    if refunded:  # refunded money was captured, even if the capture is reported later
        captured = max(captured or 0, refunded)
    authorized = _units(report.authorized)
    if authorized is None:
        is_authorized = report.status in _AUTHORIZED or captured
        authorized = payment.authorized_amount if payment else session.amount if is_authorized else None
    if payment is not None and session.status == SessionStatus.CAPTURED:
        authorized = payment.authorized_amount  # the rest was released: a higher amount is a late report
    if authorized is not None:  # captured money was authorized, even if a late report says less
        total = max(captured or 0, payment.captured_amount if payment else 0)
        is_over = SessionStatus.CANCELED in (session.status, report.status)
        authorized = total if total and is_over else max(authorized, total)
    return authorized, captured, refunded


def _units(amount: Decimal | None) -> int | None:
    return None if amount is None else stored(amount)


def _is_transition(before: SessionStatus, after: SessionStatus) -> bool:
    return after == before or after in SESSIONS.allowed[before]


def _status(before: SessionStatus, reported: SessionStatus, payment: PaymentRow | None) -> SessionStatus:
    """Captured money decides the status, since reports may come late."""
    if payment is not None and payment.captured_amount:
        is_whole = payment.captured_amount >= payment.authorized_amount
        return SessionStatus.CAPTURED if is_whole else SessionStatus.AUTHORIZED
    return reported if _is_transition(before, reported) else before


def _payment(session: SessionRow, authorized: int) -> PaymentRow:
    return PaymentRow(
        id=new_id("pay"),
        session_id=session.id,
        collection_id=session.collection_id,
        provider_id=session.provider_id,
        currency_id=session.currency_id,
        amount=session.amount,
        authorized_amount=authorized,
        captured_amount=0,
        refunded_amount=0,
        returned_amount=0,
        captured_at=None,
        canceled_at=None,
    )


def _apply_amounts(payment: PaymentRow, authorized: int, captured: int, refunded: int, intent: Intent | None) -> None:
    """Record the difference between the provider's totals and the stored ones."""
    payment.authorized_amount = authorized
    newly_captured, newly_refunded = captured - payment.captured_amount, refunded - payment.refunded_amount
    if newly_captured > 0:
        payment.captured_amount += newly_captured
        source = _intent_behind(payment, Act.CAPTURE, newly_captured, intent)
        about = {"created_by": source.created_by} if source else {}
        capture = Capture.objects.create(payment_id=payment.id, amount=major(newly_captured), intent=source, **about)
        record_money_event(capture, collection_id=payment.collection_id)
    if payment.captured_amount and payment.captured_amount >= authorized:
        payment.captured_at = payment.captured_at or now()
    if newly_refunded > 0:
        payment.refunded_amount += newly_refunded
        source = _intent_behind(payment, Act.REFUND, newly_refunded, intent)
        about = (
            {"created_by": source.created_by, "refund_reason_id": source.refund_reason_id, "note": source.note}
            if source
            else {}
        )
        refund = Refund.objects.create(payment_id=payment.id, amount=major(newly_refunded), intent=source, **about)
        record_money_event(refund, collection_id=payment.collection_id)


def _intent_behind(payment: PaymentRow, act: Act, units: int, intent: Intent | None) -> Intent | None:
    """The intent that moved the money; None if it was moved at the provider.

    An event may arrive before the response to our request. Each intent moves money once.
    """
    candidates = Intent.objects.filter(session_id=payment.session_id, act=act, **{act.value: None})
    if intent is not None and intent.act == act:
        candidates = candidates.filter(pk=intent.pk)
    else:
        candidates = candidates.filter(Q(amount=major(units)), done_at=None)
    found: Intent | None = candidates.order_by("pk").first()
    return found
