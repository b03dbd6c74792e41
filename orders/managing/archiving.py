"""Archiving an order. Why: docs/decisions/orders.md#only-settled-orders-are-archived."""

from django.db import transaction

from kit.domain.actor import Actor
from orders.common import events
from orders.common.locked_order import lock_order, write
from orders.managing import history
from orders.states import ORDERS, OrderStatus


@transaction.atomic
def archive(*, actor: Actor, order_id: str) -> None:
    """Archive a completed or canceled order. Only an exchange or a claim reopens it.

    Raises OrderNotFound, NotAllowed for a pending or archived order, Forbidden.
    """
    actor.require("orders.change_order")
    order = lock_order(order_id)
    ORDERS.check(before=order.status, after=OrderStatus.ARCHIVED)
    write(order, {"status": OrderStatus.ARCHIVED.value})
    events.order_archived(order_id)
    history.record(order, "Archived.", actor=actor)
