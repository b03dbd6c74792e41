"""The routes of refunds of orders."""

from dataclasses import replace

from rest_framework.request import Request

from kit.query.conditions import Is
from kit.rest.preparation import before_transaction
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import REFUNDS
from orders.api.serializers import OrderRefundInput
from orders.api.viewsets.admin_orders import ListOfOrder
from orders.refunds import creation


class OrderRefunds(ListOfOrder, WriteEndpoint):
    """Refunds of an order."""

    resource = REFUNDS
    inputs = {"create": OrderRefundInput}
    permissions = {"list": "orders.view_order", "retrieve": "orders.view_order", "create": "payments.add_refund"}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the order
        """List the refunds of an order, newest first."""
        return self.of_order(request, id)

    def refund(self, request: Request, id: str) -> str:
        """Providers are called outside transactions, so no transaction wraps this."""
        return creation.create(actor=self.actor, order_id=id, idempotency_digest=self.idempotency_digest, **self.body())

    def retrieve(self, request: Request, id: str, refund_id: str) -> JSONObject:
        """Get a refund of an order, with the status of each part."""
        self.read_query = replace(self.read_query, condition=Is("order_id", id))
        return {self.resource.name: self.read(refund_id, actor=self.actor)}

    @before_transaction(refund)
    def create(self, request: Request, refund_id: str, id: str) -> JSONObject:
        """Refund an amount of an order: to its payments first, then to gift cards and store credit.

        A part that a payment provider declines has the status `failed`; the other parts are still refunded.
        """
        return self.written(refund_id)
