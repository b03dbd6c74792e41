"""Finding an order as a guest, in GraphQL."""

from auth.api.serializers import SuccessSerializer
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Written
from kit.rest.requests.client_address import client_address
from kit.rest.storage_limits import a_row
from kit.values.json import JSONObject
from orders.access.lookups.opening import open_lookup
from orders.access.lookups.requesting import request_lookup
from orders.api.resources.lookups import FOUND_ORDERS
from orders.api.schema.transfers import OrderGuess
from orders.api.serializers.lookups import OrderLookupInput, OrderLookupTokenInput


def _request(context: RequestContext, *, display_id: str, email: str) -> JSONObject:
    client = client_address(context.request.META)
    request_lookup(actor=context.shopper, display_id=display_id, email=email, client=client)
    return {"success": True}


def _open(*, actor: Actor, token: str) -> Written:
    return Written(open_lookup(actor=actor, token=token))


class LookupOpening(OrderGuess):
    """A mutation that uses a token up. An answer that an Idempotency-Key keeps would be a second use."""

    accepts_idempotency_key = False


LOOKUP_MUTATIONS = {
    "request_order_lookup": Action(
        SuccessSerializer,
        "Request an email with a link to a guest's order. The answer never reveals whether there is such an order.",
        act=_request,
        input=OrderLookupInput,
        accepts_idempotency_key=False,
        adds=a_row,
    ),
    "open_order_lookup": LookupOpening(
        FOUND_ORDERS,
        "See a guest's order by the token of the email, which works once.",
        act=_open,
        input=OrderLookupTokenInput,
        by_id=False,
    ),
}
