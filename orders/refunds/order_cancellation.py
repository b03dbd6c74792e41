"""Refunding what was paid for a canceled order, at most what has not been refunded yet.

Payments and credit are separate steps, since other rows are locked between them.
Why: docs/decisions/orders.md#locks-are-taken-in-one-order.
"""

from orders.models import Order
from orders.refunds.granting import RefundTerms, write_refund
from orders.refunds.sources import refundable, sources_of
from payments.lifecycle.order_cancellation import CANCELED, void_or_refund_payments


def refund_payments(order_id: str, *, created_by: str | None = None, no_notification: bool | None = None) -> None:
    """Void or refund the payments of a locked order. Refunds are recorded with the order when the money has moved."""
    most = refundable(order_id, sources_of(order_id))
    void_or_refund_payments(order_id, most=most, created_by=created_by, no_notification=no_notification)


def refund_credit(order: Order, *, created_by: str | None = None, no_notification: bool | None = None) -> None:
    """Refund what gift cards and store credit have paid for a locked order. Raises AccountFull."""
    sources = sources_of(order.pk)
    credit = [source for source in sources if source.account_id is not None]
    amount = min(refundable(order.pk, sources), sum(source.amount for source in credit))
    if amount:
        terms = RefundTerms(note=CANCELED, created_by=created_by, no_notification=no_notification)
        write_refund(order, amount, terms, credit, allowance=0, runs_now=False)
