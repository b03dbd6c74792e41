"""The totals of a collection, and the status that follows from them."""

from collections.abc import Sequence

from kit.values.timestamps import now
from payments.collections.collection_rows import CollectionRow, PaymentRow, SessionRow
from payments.states import COLLECTIONS, CollectionStatus, SessionStatus, collection_status


def add_up(collection: CollectionRow, sessions: Sequence[SessionRow]) -> None:
    """Set the totals and the status. The totals leave out sessions in another currency than the collection's."""
    counted = [session for session in sessions if session.currency_id == collection.currency_id]
    payments = [session.payment for session in counted if session.payment]
    collection.captured_amount = sum(payment.captured_amount for payment in payments)
    collection.refunded_amount = sum(payment.refunded_amount for payment in payments)
    collection.returned_amount = sum(payment.returned_amount for payment in payments)
    collection.authorized_amount = sum(
        _held(session.payment, is_canceled=session.status == SessionStatus.CANCELED)
        for session in counted
        if session.payment
    )
    collection.has_other_currency = any(
        session.payment.captured_amount > session.payment.refunded_amount
        for session in sessions
        if session.payment and session.currency_id != collection.currency_id
    )
    before, after = CollectionStatus(collection.status), _status(collection, counted)
    if after != before:
        if not collection.returned_amount:
            COLLECTIONS.check(before=before, after=after)
        collection.status = after.value
    is_complete = after == CollectionStatus.COMPLETED
    collection.completed_at = (collection.completed_at or now()) if is_complete else None


def _held(payment: PaymentRow, *, is_canceled: bool) -> int:
    """What the provider has authorized. Captured money stays, even if the session was canceled."""
    if is_canceled or (payment.canceled_at is not None and not payment.captured_amount):
        return payment.captured_amount
    return payment.authorized_amount


def _status(collection: CollectionRow, sessions: Sequence[SessionRow]) -> CollectionStatus:
    if collection.order_id is not None and not collection.amount:
        return CollectionStatus.COMPLETED  # an order of which nothing is due is paid
    alive = [
        SessionStatus(session.status)
        for session in sessions
        if session.status != SessionStatus.CANCELED and not (session.payment and session.payment.is_returned)
    ]
    return collection_status(
        before=CollectionStatus(collection.status),
        amount=collection.amount,
        authorized=collection.authorized_amount - collection.returned_amount,
        captured=collection.captured_amount - collection.returned_amount,
        sessions=alive,
    )
