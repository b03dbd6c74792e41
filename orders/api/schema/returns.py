"""Returns in GraphQL."""

from functools import partial

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField
from orders.api.resources.returns import ADMIN_RETURNS, RETURNS
from orders.api.schema.transfers import OrderGuess
from orders.api.serializers.inputs.returns import ReceiptInput, RequestedReturnInput, ReturnRequestInput
from orders.returns import cancellation, creation, receipt

_VIEWING = "orders.view_return"
_change = partial(Change, ADMIN_RETURNS, permission="orders.change_return", viewing=_VIEWING)


def _request(*, actor: Actor, **given: object) -> Written:
    return Written(creation.request(actor=actor, **given))  # type: ignore[arg-type]  # what the input declares


RETURN_QUERIES = {
    "returns": ListField(ADMIN_RETURNS, "Returns. For staff.", permission=_VIEWING),
    "return": SingleField(ADMIN_RETURNS, "One return. For staff.", permission=_VIEWING),
}
RETURN_MUTATIONS = {
    "request_return": OrderGuess(
        RETURNS,
        "Request the return of delivered units of an order: the customer's own, or a guest's by its id.",
        act=_request,
        input=ReturnRequestInput,
        by_id=False,
    ),
    "create_return": Change(
        ADMIN_RETURNS,
        "Request a return for a customer. For staff.",
        act=_request,
        permission="orders.add_return",
        viewing=_VIEWING,
        input=RequestedReturnInput,
        by_id=False,
    ),
    "receive_return": _change(
        "Receive units of a return, and restock the undamaged ones. Nothing is refunded.",
        act=written_by(receipt.receive, "return_id"),
        input=ReceiptInput,
    ),
    "cancel_return": _change(
        "Cancel a return of which nothing was received. Its units can be returned again.",
        act=written_by(cancellation.cancel, "return_id"),
    ),
}
