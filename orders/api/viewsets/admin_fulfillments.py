"""The routes of fulfillments for staff."""

from rest_framework.request import Request

from kit.rest.reads import Retrieve
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ADMIN_FULFILLMENTS
from orders.api.serializers.inputs.fulfillments import (
    FulfillmentInput,
    LabelsInput,
    NewFulfillmentInput,
    ShipmentInput,
    UnmailedInput,
)
from orders.api.viewsets.admin_orders import VIEWING_ORDERS, OrderActions
from orders.fulfillments import cancellation, creation, delivery, shipping

_CHANGING = "orders.change_fulfillment"


class OrderFulfillments(OrderActions):
    """Fulfillments of an order. Each action returns the order."""

    inputs = {
        "create": FulfillmentInput,
        "cancel": UnmailedInput,
        "ship": ShipmentInput,
        "deliver": UnmailedInput,
    }
    permissions = {
        **OrderActions.permissions,
        "create": "orders.add_fulfillment",
        **dict.fromkeys(("cancel", "ship", "deliver"), _CHANGING),
    }

    def create(self, request: Request, id: str) -> JSONObject:
        """Pack units of the order's lines, and deduct them from stock. The carrier is called after the response."""
        creation.create(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def cancel(self, request: Request, id: str, fulfillment_id: str) -> JSONObject:
        """Cancel a fulfillment of an order that is neither shipped nor delivered. Its stock is reserved again."""
        cancellation.cancel(actor=self.actor, order_id=id, fulfillment_id=fulfillment_id, **self.body())
        return self.written(id)

    def ship(self, request: Request, id: str, fulfillment_id: str) -> JSONObject:
        """Mark a fulfillment of an order as shipped, and add labels."""
        shipping.ship(actor=self.actor, order_id=id, fulfillment_id=fulfillment_id, **self.body())
        return self.written(id)

    def deliver(self, request: Request, id: str, fulfillment_id: str) -> JSONObject:
        """Mark a fulfillment of an order as delivered. One that was not shipped has been picked up."""
        delivery.deliver(actor=self.actor, order_id=id, fulfillment_id=fulfillment_id, **self.body())
        return self.written(id)


class Fulfillments(Retrieve, WriteEndpoint, AdminEndpoint):
    """Fulfillments by their own ids."""

    resource = ADMIN_FULFILLMENTS
    inputs = {"create": NewFulfillmentInput, "ship": LabelsInput}
    permissions = {
        "retrieve": VIEWING_ORDERS,
        "create": "orders.add_fulfillment",
        "cancel": _CHANGING,
        "ship": _CHANGING,
    }

    def create(self, request: Request) -> JSONObject:
        """Pack units of an order's lines, and deduct them from stock. The carrier is called after the response."""
        return self.written(creation.create(actor=self.actor, **self.body()))

    def cancel(self, request: Request, id: str) -> JSONObject:
        """Cancel a fulfillment that is neither shipped nor delivered. Its stock is reserved again."""
        cancellation.cancel(actor=self.actor, fulfillment_id=id)
        return self.written(id)

    def ship(self, request: Request, id: str) -> JSONObject:
        """Mark a fulfillment as shipped, and add labels."""
        shipping.ship(actor=self.actor, fulfillment_id=id, **self.body())
        return self.written(id)
