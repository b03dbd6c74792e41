"""Returns in GraphQL."""

from functools import partial

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import Change, Written
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.roots import Arguments
from orders.api.guess_limits import guesser
from orders.api.resources.returns import ADMIN_RETURNS, RETURNS
from orders.api.serializers.return_inputs import ReceiptInput, RequestedReturnInput, ReturnRequestInput
from orders.returns import cancellation, creation, receipt

_VIEWING = "orders.view_return"
_change = partial(Change, ADMIN_RETURNS, permission="orders.change_return", viewing=_VIEWING)


class ReturnRequest(Change):
    """A mutation whose input names an order."""

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        with guesser(context.shopper, context.request.META).guess(context.outside, context.counted):
            return super().answer(context, plan, args)


def _request(*, actor: Actor, **args: object) -> Written:
    return Written(creation.request(actor=actor, **args))  # type: ignore[arg-type]  # what the input declares


def _receive(*, actor: Actor, id: str, **args: object) -> Written:
    receipt.receive(actor=actor, return_id=id, **args)  # type: ignore[arg-type]  # what the input declares
    return Written(id)


def _cancel(*, actor: Actor, id: str) -> Written:
    cancellation.cancel(actor=actor, return_id=id)
    return Written(id)


RETURN_QUERIES = {
    "returns": ListField(ADMIN_RETURNS, "Returns. For staff.", permission=_VIEWING),
    "return": SingleField(ADMIN_RETURNS, "One return. For staff.", permission=_VIEWING),
}
RETURN_MUTATIONS = {
    "request_return": ReturnRequest(
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
        act=_receive,
        input=ReceiptInput,
    ),
    "cancel_return": _change(
        "Cancel a return of which nothing was received. Its units can be returned again.", act=_cancel
    ),
}
