"""Fulfillments in GraphQL, for staff."""

from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written, written_by
from orders.api.resources import ADMIN_FULFILLMENTS, ADMIN_ORDERS
from orders.api.serializers.inputs.fulfillments import (
    FulfillmentInput,
    LabelsInput,
    NamedFulfillmentInput,
    NamedShipmentInput,
    NewFulfillmentInput,
)
from orders.fulfillments import cancellation, creation, delivery, shipping

_VIEWING, _CHANGING = "orders.view_order", "orders.change_fulfillment"
_of_order = partial(Change, ADMIN_ORDERS, viewing=_VIEWING)
_of_fulfillment = partial(Change, ADMIN_FULFILLMENTS, viewing=_VIEWING, permission=_CHANGING)


def _create(*, actor: Actor, **values: Any) -> Written:
    return Written(creation.create(actor=actor, **values))


FULFILLMENT_MUTATIONS = {
    "create_order_fulfillment": _of_order(
        "Pack units of an order's lines, and deduct them from stock.",
        act=written_by(creation.create, key="order_id"),
        permission="orders.add_fulfillment",
        input=FulfillmentInput,
    ),
    "cancel_order_fulfillment": _of_order(
        "Cancel a fulfillment of an order that is neither shipped nor delivered.",
        act=written_by(cancellation.cancel, key="order_id"),
        permission=_CHANGING,
        input=NamedFulfillmentInput,
    ),
    "ship_order_fulfillment": _of_order(
        "Mark a fulfillment of an order as shipped, and add labels.",
        act=written_by(shipping.ship, key="order_id"),
        permission=_CHANGING,
        input=NamedShipmentInput,
    ),
    "deliver_order_fulfillment": _of_order(
        "Mark a fulfillment of an order as delivered.",
        act=written_by(delivery.deliver, key="order_id"),
        permission=_CHANGING,
        input=NamedFulfillmentInput,
    ),
    "create_fulfillment": Change(
        ADMIN_FULFILLMENTS,
        "Pack units of an order's lines, and deduct them from stock.",
        act=_create,
        viewing=_VIEWING,
        permission="orders.add_fulfillment",
        input=NewFulfillmentInput,
        by_id=False,
    ),
    "cancel_fulfillment": _of_fulfillment(
        "Cancel a fulfillment that is neither shipped nor delivered.",
        act=written_by(cancellation.cancel, key="fulfillment_id"),
    ),
    "ship_fulfillment": _of_fulfillment(
        "Mark a fulfillment as shipped, and add labels.",
        act=written_by(shipping.ship, key="fulfillment_id"),
        input=LabelsInput,
    ),
}
