"""Refunding what is owed to the customer of an order, in the transaction that makes it owed."""

from typing import NamedTuple

from django.db import transaction

from kit.domain.actor import Actor
from orders.common.locked_order import lock_order
from orders.common.summary import balance_of, pending_difference
from orders.models import Order
from orders.refunds.bought_cards import bought_value
from orders.refunds.granting import RefundTerms, grant
from orders.refunds.sources import open_refunds_of, refundable, sources_of

REFUNDING = "payments.add_refund"


class Owed(NamedTuple):
    """What is owed to the customer, and what of it can be refunded while bought gift cards can be spent; 1/10,000."""

    amount: int
    refundable: int


@transaction.atomic
def refund_owed(*, actor: Actor, order_id: str, note: str, no_notification: bool) -> int:
    """Refund what is owed, to where it was paid from; returns the amount in 1/10,000, 0 if nothing can be refunded.

    The price of gift cards that were bought with the order, and can still be spent, stays owed.

    The background worker asks the providers. Raises OrderNotFound, the errors of `grant`, Forbidden.
    """
    actor.require(REFUNDING)
    order = lock_order(order_id)
    amount = owed_of(order, pending_difference(balance_of(order))).refundable
    if amount:
        terms = RefundTerms(note=note, no_notification=no_notification, created_by=actor.id)
        grant(order, amount, terms, runs_now=False)
    return amount


def owed_of(order: Order, difference: int) -> Owed:
    """What is owed of a pending difference, beside refunds that are under way."""
    owed = max(-difference - open_refunds_of(order.pk), 0)
    if not owed:
        return Owed(0, 0)
    left = refundable(order.pk, sources_of(order.pk))
    return Owed(min(owed, left), min(owed, max(left - bought_value(order.pk), 0)))
