"""The payment status of an order, from the sums of its payments. No database. Source: orders.md 4.1, D7."""

from collections.abc import Collection
from typing import NamedTuple

from orders.states import PaymentStatus
from payments.states import SessionStatus


class Paid(NamedTuple):
    """Sums over an order's payments, in any one unit. due: what payments have to pay."""

    due: int
    authorized: int = 0
    captured: int = 0
    refunded: int = 0


def payment_status(paid: Paid, sessions: Collection[SessionStatus], *, is_canceled: bool = False) -> PaymentStatus:
    """The first status of the table that fits. sessions: the statuses of those that are not canceled."""
    if is_canceled and not paid.captured:
        return PaymentStatus.CANCELED
    if paid.captured and paid.refunded >= paid.captured:
        return PaymentStatus.REFUNDED
    if paid.refunded:
        return PaymentStatus.PARTIALLY_REFUNDED
    if paid.captured >= paid.due:
        return PaymentStatus.CAPTURED
    if paid.captured:
        return PaymentStatus.PARTIALLY_CAPTURED
    if SessionStatus.REQUIRES_MORE in sessions:
        return PaymentStatus.REQUIRES_ACTION
    if paid.authorized >= paid.due:
        return PaymentStatus.AUTHORIZED
    if paid.authorized:
        return PaymentStatus.PARTIALLY_AUTHORIZED
    if _PENDING & set(sessions):
        return PaymentStatus.AWAITING
    return PaymentStatus.NOT_PAID


_PENDING = frozenset({SessionStatus.PENDING, SessionStatus.PENDING_AUTHORIZATION})
