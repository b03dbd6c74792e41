"""Recording that a fulfillment has arrived."""

from django.db import transaction

from commerce.kit.core.actor import Actor
from commerce.kit.core.timestamps import now
from orders import events
from orders.fulfillments.errors import AlreadyDelivered, DeliveredAfterCancel
from orders.fulfillments.open_order import OpenFulfillment, open_fulfillment
from orders.fulfillments.payment import capture_on_shipping


@transaction.atomic
def deliver(*, actor: Actor, fulfillment_id: str, order_id: str | None = None) -> None:
    """Record that the fulfillment was delivered, or picked up without having been shipped.

    Raises FulfillmentNotFound, OrderCanceled, DeliveredAfterCancel, AlreadyDelivered, Forbidden.
    """
    actor.require("orders.change_fulfillment")
    opened = open_fulfillment(fulfillment_id, order_id=order_id)
    opened.order.require_living()
    if opened.row.canceled_at is not None:
        raise DeliveredAfterCancel
    if opened.row.delivered_at is not None:
        raise AlreadyDelivered
    deliver_opened(opened)


def deliver_opened(opened: OpenFulfillment) -> None:
    """Deliver a fulfillment of a living order that is neither canceled nor delivered."""
    opened.change(delivered_at=now())
    opened.order.count("delivered_quantity", opened.units)
    opened.order.write()
    events.fulfillment_delivered(opened.row.order_id, opened.row.pk)
    if opened.row.shipped_at is None:
        capture_on_shipping(opened.row.order_id)
