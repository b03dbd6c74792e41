"""The routes by which guests find an order."""

from http import HTTPStatus

from rest_framework.request import Request

from auth.api.serializers import SuccessSerializer
from kit.database.raw_sql import renew_if_dead
from kit.rest.requests.client_address import client_address
from kit.rest.storage_limits import a_row
from kit.rest.viewsets import StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.access.lookups.opening import open_lookup
from orders.access.lookups.requesting import request_lookup
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources.lookups import FOUND_ORDERS
from orders.api.serializers.lookups import OrderLookupInput


class OrderLookups(StoreEndpoint):
    """Requests for a link to an order."""

    accepts_idempotency_key = False
    is_throttled = True
    inputs = {"create": OrderLookupInput}
    adds = {"create": a_row}
    answers = {"create": SuccessSerializer}
    statuses = {"create": HTTPStatus.ACCEPTED}

    def create(self, request: Request) -> JSONObject:
        """Request an email with a link to a guest's order. The answer never reveals whether there is such an order."""
        renew_if_dead()
        request_lookup(actor=self.actor, client=client_address(request.META), **self.body())
        return {"success": True}


class FoundOrders(OrderMissesCounted, WriteEndpoint, StoreEndpoint):
    """Orders, by the token of the email."""

    accepts_idempotency_key = False  # an answer that is kept would be a second use of the token
    resource = FOUND_ORDERS
    private = True

    def open(self, request: Request, token: str) -> dict[str, object]:
        """See a guest's order by the token of the email, which works once. There are no ids in the answer."""
        return self.written(open_lookup(token=token, actor=self.actor))
