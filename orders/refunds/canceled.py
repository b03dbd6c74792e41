"""Giving back what a canceled order has taken, at most what has not been given back yet. Source: orders.md D12.

Payments come first; the order's locks lie between them and its credit (orders.md 8.4), so they are two steps.
"""

from orders.models import Order
from orders.refunds.granting import RefundTerms, write_refund
from orders.refunds.sources import refundable, sources_of
from payments.order_cancellation import CANCELED, return_payments


def return_payments_of(order_id: str, *, created_by: str | None = None) -> None:
    """Void and refund the payments of a locked order. They become refunds of the order when their money has moved."""
    return_payments(order_id, most=refundable(order_id, sources_of(order_id)), created_by=created_by)


def return_credit(order: Order, *, created_by: str | None = None) -> None:
    """Refund what gift cards and store credit paid. Raises AccountFull."""
    sources = sources_of(order.pk)
    credit = [source for source in sources if source.account_id is not None]
    amount = min(refundable(order.pk, sources), sum(source.amount for source in credit))
    if amount:
        write_refund(
            order, amount, RefundTerms(note=CANCELED, created_by=created_by), credit, allowance=0, runs_now=False
        )
