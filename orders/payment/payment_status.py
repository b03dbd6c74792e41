"""The payment status of an order, from the sums of its payments. No database.

Why: docs/decisions/orders.md#the-payment-status-compares-sums.
"""

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
    table = (
        (is_canceled and not paid.captured, PaymentStatus.CANCELED),
        (bool(paid.captured) and paid.refunded >= paid.captured, PaymentStatus.REFUNDED),
        (bool(paid.refunded), PaymentStatus.PARTIALLY_REFUNDED),
        (paid.captured >= paid.due, PaymentStatus.CAPTURED),
        (bool(paid.captured), PaymentStatus.PARTIALLY_CAPTURED),
        (SessionStatus.REQUIRES_MORE in sessions, PaymentStatus.REQUIRES_ACTION),
        (paid.authorized >= paid.due, PaymentStatus.AUTHORIZED),
        (bool(paid.authorized), PaymentStatus.PARTIALLY_AUTHORIZED),
        (bool(_PENDING & set(sessions)), PaymentStatus.AWAITING),
    )
    return next((status for fits, status in table if fits), PaymentStatus.NOT_PAID)


_PENDING = frozenset({SessionStatus.PENDING, SessionStatus.PENDING_AUTHORIZATION})
