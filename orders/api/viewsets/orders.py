"""The routes of orders."""

from rest_framework.request import Request

from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import CustomerEndpoint, StoreEndpoint
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources import ORDERS


class Orders(List, CustomerEndpoint):
    """The signed-in customer's orders."""

    resource = ORDERS


class OneOrder(OrderMissesCounted, Retrieve, StoreEndpoint):
    """An order. A guest's is open to callers who know its id, a customer's to that customer alone."""

    resource = ORDERS
    private = True

    def retrieve(self, request: Request, **key: str) -> dict[str, object]:
        """Get an order by its id."""
        return super().retrieve(request, **key)
