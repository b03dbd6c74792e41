"""Captured money that belongs to no order, or to a canceled one, so that it is refunded.

Why: docs/decisions/orders.md#money-without-an-order-is-refunded.
"""

from collections.abc import Iterator
from decimal import Decimal

from django.db.models import Sum

from kit.values.money import stored
from payments.collections.collection_rows import SessionRow
from payments.collections.locked_collection import LockedCollection
from payments.models import Intent
from payments.states import Act


def take_all(collection: LockedCollection) -> Iterator[tuple[SessionRow, int]]:
    """Mark all captured money as returned; yields each session with the amount that has to be refunded of it."""
    pending = _pending_refunds(collection)
    for session in collection.sessions:
        if session.payment is not None:
            left = _left(session, pending)
            session.payment.returned_amount = session.payment.captured_amount
            if left:
                yield session, left


def take_excess(collection: LockedCollection) -> Iterator[tuple[SessionRow, int]]:
    """The same for money beyond the collection's amount, the latest first, if there is any."""
    row = collection.row
    excess = row.captured_amount - row.returned_amount - row.amount
    pending = _pending_refunds(collection) if excess > 0 else {}
    for session in reversed(collection.sessions):
        if excess <= 0:
            return
        if session.payment is not None and session.currency_id == row.currency_id:
            part = min(excess, _left(session, pending))
            session.payment.returned_amount += part
            excess -= part
            if part:
                yield session, part


def refundable(collection: LockedCollection) -> Iterator[tuple[SessionRow, int]]:
    """Each session with captured money, and the amount of it that is neither refunded nor being refunded."""
    pending = _pending_refunds(collection)
    for session in collection.sessions:
        if left := _left(session, pending):
            yield session, left


def _left(session: SessionRow, pending: dict[str, int]) -> int:
    """What can still be refunded."""
    if session.payment is None:
        return 0
    left = session.payment.captured_amount - session.payment.refunded_amount - pending.get(session.id, 0)
    return max(left, 0)


def _pending_refunds(collection: LockedCollection) -> dict[str, int]:
    """The amounts of open refunds, by session."""
    pending = Intent.objects.filter(session__collection=collection.row.id, act=Act.REFUND, done_at=None)
    sums = pending.order_by().values_list("session").annotate(sum=Sum("amount"))
    return {session_id: stored(amount or Decimal(0)) for session_id, amount in sums}
