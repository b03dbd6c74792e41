"""Recording what a provider reports about a session of a locked collection. The caller writes the collection."""

from decimal import Decimal
from functools import partial
from typing import NamedTuple

import structlog
from django.db.models import Q, QuerySet

from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.money import major, stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from payments.collections.collection_rows import CollectionRow, PaymentRow, SessionRow
from payments.models import Capture, Intent, Refund
from payments.money_events import record_money_event
from payments.providers.base import ProviderReport
from payments.states import SESSIONS, Act, SessionStatus

log = structlog.get_logger(__name__)

_AUTHORIZED = frozenset({SessionStatus.AUTHORIZED, SessionStatus.CAPTURED})


class Request(NamedTuple):
    """The request that a report responds to. id: of its intent."""

    id: str
    act: Act


def record(
    collection: CollectionRow, session: SessionRow, report: ProviderReport, *, request: Request | None = None
) -> bool:
    """Apply a provider's report to a session of the collection. Money that has moved is always recorded.

    request: None for an event.
    Returns whether the collection's status or amount due may have changed.
    """
    before = SessionStatus(session.status)
    authorized, captured, refunded = _amounts(session, report)
    is_new = _is_transition(before, report.status) or bool(captured)
    if is_new or request is not None:  # a late event describes an earlier state
        session.data = dict(report.data)
    if is_new and authorized is not None:
        session.payment = session.payment or _payment(session, authorized)
        moved = _apply_amounts(session.payment, authorized, captured or 0, refunded)
        for act, units in moved:
            _insert_movement(collection, session.payment, act, units, request)
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


def _apply_amounts(payment: PaymentRow, authorized: int, captured: int, refunded: int) -> list[tuple[Act, int]]:
    """Set the provider's totals; returns what has moved since the stored ones."""
    payment.authorized_amount = authorized
    moved = [(Act.CAPTURE, captured - payment.captured_amount), (Act.REFUND, refunded - payment.refunded_amount)]
    payment.captured_amount = max(captured, payment.captured_amount)
    payment.refunded_amount = max(refunded, payment.refunded_amount)
    if payment.captured_amount and payment.captured_amount >= authorized:
        payment.captured_at = payment.captured_at or now()
    return [(act, units) for act, units in moved if units > 0]


def _insert_movement(
    collection: CollectionRow, payment: PaymentRow, act: Act, units: int, request: Request | None
) -> None:
    """Insert a capture or refund, with its event."""
    source = _intent_behind(payment, act, units, request) or _NO_INTENT
    row: dict[str, object] = {
        "id": new_id(_PREFIXES[act]),
        "payment_id": payment.id,
        "intent_id": source.id,
        "amount": units,
        "created_by": source.created_by,
        "created_at": now(),
    }
    if act is Act.REFUND:
        row |= {"refund_reason_id": source.refund_reason_id, "note": source.note}
    raw_rows.insert(_MODELS[act], [row])
    record_money_event(
        act, str(row["id"]), payment_id=payment.id, collection_id=collection.id, order_id=collection.order_id
    )


class _Source(NamedTuple):
    """What a capture or refund takes from its intent."""

    id: str | None
    created_by: str | None
    refund_reason_id: str | None
    note: str | None


def _intent_behind(payment: PaymentRow, act: Act, units: int, request: Request | None) -> _Source | None:
    """The intent that moved the money; None if it was moved at the provider.

    An event may arrive before the response to our request. Each intent moves money once.
    """
    if request is not None and request.act is act:
        return next(iter(_UNMOVED[act].read([request.id])), None)
    candidates = _unmoved(act).filter(Q(amount=major(units)), session_id=payment.session_id, done_at=None)
    found = candidates.order_by("pk").values_list(*_Source._fields).first()
    return None if found is None else _Source(*found)


def _unmoved(act: Act) -> QuerySet[Intent]:
    intents: QuerySet[Intent] = Intent.objects.filter(act=act, **{act.value: None})
    return intents


_NO_INTENT = _Source(None, None, None, None)
_MODELS = {Act.CAPTURE: Capture, Act.REFUND: Refund}
_PREFIXES = {Act.CAPTURE: "capt", Act.REFUND: "ref"}
_UNMOVED = {act: KeyedRows(partial(_unmoved, act), key="id", row=_Source) for act in _MODELS}
