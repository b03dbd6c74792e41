"""Canceling an order. Why: docs/decisions/orders.md#cancellation-waits-for-no-provider."""

from django.db import transaction

from carts.promotions.promotion_usage import release_usage
from catalog.stock.stock_claims import release_stock
from catalog.stock.stock_deduction import lock_levels_of_lines
from giftcards.cards.cancellation import cancel_bought_cards
from kit.domain.actor import Actor
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common import events
from orders.common.open_edit import cancel_open_change
from orders.fulfillments.locked_lines import LockedFulfillment, LockedLines, lock_lines
from orders.fulfillments.requests import request_cancellation
from orders.fulfillments.reversal import cancel_locked
from orders.invoices.following import documents_last
from orders.managing import history
from orders.managing.errors import CannotCancelCompleted, CannotCancelShipped
from orders.models import Fulfillment, Order
from orders.payment.order_payments import follow_payments
from orders.refunds.order_cancellation import refund_credit, refund_payments
from orders.states import ORDERS, OrderStatus


@transaction.atomic
def cancel(*, actor: Actor, order_id: str, no_notification: bool | None = None) -> None:
    """Cancel an order of which nothing has been shipped; release what it holds, and refund what was paid.

    An open edit and packed fulfillments are canceled, stock and uses of promotions are released, gift cards that were
    bought are canceled, and gift cards and store credit that paid are refunded. Payments are voided or refunded after
    the commit, and retried until the provider agrees; until then, payment_status shows what is still captured.
    no_notification: whether the customer gets no email about it and its refunds.
    Raises OrderNotFound, OrderCanceled, CannotCancelCompleted, CannotCancelShipped, NotAllowed for an archived order,
    BoughtCardRedeemed, GiftCardHeld, AccountFull, Forbidden.
    """
    actor.require("orders.cancel_order")
    order = lock_lines(order_id)
    _check(order)
    line_ids = list(order.lines)
    _mark_canceled(order)
    cancel_open_change(order.row, actor)
    # Collections, levels, promotions, cards, accounts. Why: docs/decisions/orders.md#locks-are-taken-in-one-order.
    with documents_last():
        refund_payments(order_id, created_by=actor.id, no_notification=no_notification)
        follow_payments(order_id, is_mailed=not no_notification)
        lock_levels_of_lines(line_ids)
        _cancel_fulfillments(order, actor)
        release_stock(line_ids)
        order.write()
        release_usage(order.row.cart_id)
        cancel_bought_cards(line_ids)
        refund_credit(order.row, created_by=actor.id, no_notification=no_notification)
    events.order_canceled(order_id, is_mailed=not no_notification)
    history.record(order.row, "Canceled.", actor=actor)


def _check(order: LockedLines) -> None:
    order.require_not_canceled()
    if order.row.status == OrderStatus.COMPLETED:
        raise CannotCancelCompleted
    ORDERS.check(before=order.row.status, after=OrderStatus.CANCELED)
    if any(line.shipped_quantity or line.delivered_quantity for line in order.lines.values()):
        raise CannotCancelShipped


def _mark_canceled(order: LockedLines) -> None:
    """First, so that everything after it knows."""
    order.row.status, order.row.canceled_at = OrderStatus.CANCELED, now()
    row = {"id": order.row.pk, "status": OrderStatus.CANCELED.value, "canceled_at": order.row.canceled_at}
    raw_rows.update(Order, [row])


def _cancel_fulfillments(order: LockedLines, actor: Actor) -> None:
    packed = Fulfillment.objects.not_deleted().filter(order=order.row, canceled_at=None).order_by("pk")
    for row in packed.prefetch_related("items"):
        cancel_locked(LockedFulfillment(row, order, sorted(row.items.all(), key=lambda item: item.pk)), actor=actor)
        request_cancellation(row)
