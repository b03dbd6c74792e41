"""Marking a fulfillment as delivered."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.timestamps import now
from orders.common import events
from orders.fulfillments.errors import AlreadyDelivered, NotDeliverable
from orders.fulfillments.locked_lines import LockedFulfillment, lock_fulfillment
from orders.fulfillments.payment import capture_on_shipping


@transaction.atomic
def deliver(*, actor: Actor, fulfillment_id: str, order_id: str | None = None) -> None:
    """Mark the fulfillment as delivered. One that was not shipped has been picked up.

    Raises FulfillmentNotFound, OrderCanceled, NotDeliverable, AlreadyDelivered, Forbidden.
    """
    actor.require("orders.change_fulfillment")
    opened = lock_fulfillment(fulfillment_id, order_id=order_id)
    opened.order.require_not_canceled()
    if opened.row.canceled_at is not None:
        raise NotDeliverable
    if opened.row.delivered_at is not None:
        raise AlreadyDelivered
    deliver_locked(opened, by=actor.id)


def deliver_locked(opened: LockedFulfillment, *, by: str | None) -> None:
    """Deliver a fulfillment that is neither canceled nor delivered, and whose order is not canceled.

    by: the id of the staff user; None for the provider.
    """
    opened.change(delivered_at=now(), delivered_by=by)
    opened.order.adjust_counter("delivered_quantity", opened.units)
    opened.order.write()
    events.fulfillment_delivered(opened.row.order_id, opened.row.pk)
    if opened.row.shipped_at is None:
        capture_on_shipping(opened.row.order_id)
