"""Canceling a fulfillment."""

from django.db import transaction

from kit.domain.actor import Actor
from orders.fulfillments.errors import FulfillmentAlreadyCanceled, NotCancelable
from orders.fulfillments.locked_lines import lock_fulfillment
from orders.fulfillments.requests import request_cancellation
from orders.fulfillments.reversal import cancel_locked


@transaction.atomic
def cancel(*, actor: Actor, fulfillment_id: str, order_id: str | None = None) -> None:
    """Cancel a fulfillment that is neither shipped nor delivered. Its provider is informed after the commit.

    Raises FulfillmentNotFound, OrderCanceled, FulfillmentAlreadyCanceled, NotCancelable, Forbidden.
    """
    actor.require("orders.change_fulfillment")
    opened = lock_fulfillment(fulfillment_id, order_id=order_id)
    opened.order.require_not_canceled()
    row = opened.row
    if row.canceled_at is not None:
        raise FulfillmentAlreadyCanceled
    if not opened.is_packed:
        raise NotCancelable("shipped" if row.shipped_at is not None else "delivered")
    cancel_locked(opened, actor=actor)
    request_cancellation(row)
