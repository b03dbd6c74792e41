"""Refunding what is owed to the customer of an order, in the transaction that makes it owed."""

from django.db import transaction

from kit.domain.actor import Actor
from orders.common.locked_order import lock_order
from orders.common.summary import balance_of, pending_difference
from orders.models import Order
from orders.refunds.granting import RefundTerms, grant
from orders.refunds.sources import open_refunds_of, refundable, sources_of

REFUNDING = "payments.add_refund"


@transaction.atomic
def refund_owed(*, actor: Actor, order_id: str, note: str, no_notification: bool) -> int:
    """Refund what is owed, to where it was paid from; returns the amount in 1/10,000, 0 if nothing is owed.

    The background worker asks the providers. Raises OrderNotFound, the errors of `grant`, Forbidden.
    """
    actor.require(REFUNDING)
    order = lock_order(order_id)
    amount = refundable_of(order, pending_difference(balance_of(order)))
    if amount:
        terms = RefundTerms(note=note, no_notification=no_notification, created_by=actor.id)
        grant(order, amount, terms, runs_now=False)
    return amount


def refundable_of(order: Order, difference: int) -> int:
    """What can be refunded of a pending difference, beside refunds that are under way, in 1/10,000."""
    owed = max(-difference - open_refunds_of(order.pk), 0)
    return min(owed, refundable(order.pk, sources_of(order.pk))) if owed else 0
