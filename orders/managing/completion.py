"""Completing an order. Why: docs/decisions/orders.md#an-unfinished-order-needs-a-note."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.written_amounts import written
from orders.common import events
from orders.common.locked_order import lock_order, write
from orders.common.summary import pending_difference_of
from orders.fulfillments.errors import OrderCanceled
from orders.managing import history
from orders.managing.errors import NotFinished
from orders.managing.notes import checked_note, write_note
from orders.models import Order, OrderLineItem
from orders.states import FINISHED, ORDERS, OrderStatus, ReturnStatus


@transaction.atomic
def complete(*, actor: Actor, order_id: str, note: str | None = None) -> None:
    """Complete an order whose items are all delivered and that has nothing pending.

    note: the reason to complete it although something is pending; stored as a note of the order.
    Raises OrderNotFound, OrderCanceled, NotAllowed for a completed or archived order, NotFinished, InvalidData (note),
    Forbidden.
    """
    actor.require("orders.change_order")
    reason = None if note is None else checked_note(note, field="note")
    order = lock_order(order_id)
    if order.is_canceled:
        raise OrderCanceled(order_id)
    ORDERS.check(before=order.status, after=OrderStatus.COMPLETED)
    pending = unfinished(order)
    if pending and reason is None:
        raise NotFinished(pending)
    if reason is not None:
        write_note(order, reason, actor=actor)
    write(order, {"status": OrderStatus.COMPLETED.value})
    events.order_completed(order_id)
    history.record(order, "Completed.", actor=actor)


def unfinished(order: Order) -> list[str]:
    """The reasons why the order cannot be completed yet, as text. Four statements."""
    lines = OrderLineItem.objects.not_deleted().filter(order=order)
    found = []
    if order.fulfillment_status not in FINISHED[lines.filter(requires_shipping=True).exists()]:
        found.append("not all items are delivered")
    if order.returns.not_deleted().filter(status=ReturnStatus.OPEN).exists():
        found.append("a return is being prepared")
    if lines.filter(return_requested_quantity__gt=0).exists():
        found.append("a return has not been fully received")
    if owed := pending_difference_of(order):
        amount = written(abs(owed), order.currency_id)
        found.append(f"{amount} {'has not been captured' if owed > 0 else 'has not been refunded'}")
    return found
