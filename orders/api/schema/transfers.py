"""Transfers of orders in GraphQL."""

from collections.abc import Mapping
from functools import partial

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.roots import Arguments
from orders.access.transfers import answering, cancellation, requesting
from orders.api.guess_limits import guesser
from orders.api.resources.transfers import ORDERS_OF_TRANSFERS
from orders.api.serializers.inputs.transfers import TransferRequestInput, TransferTokenInput


class OrderGuess(Change):
    """A mutation that takes what opens an order: its id, or a token."""

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        with guesser(context.shopper, context.request.META).guess(context.outside, context.counted):
            return super().answer(context, plan, args)


def _count(*, actor: Actor, **_: object) -> Mapping[str, object]:
    requesting.count_request(actor=actor)
    return {}


_change = partial(OrderGuess, ORDERS_OF_TRANSFERS)
_by = partial(written_by, key="order_id")
TRANSFER_MUTATIONS = {
    "request_order_transfer": _change(
        "Request an order of somebody else. The order's email address gets an email to accept or decline.",
        act=_by(requesting.request_transfer),
        input=TransferRequestInput,
        who=RequestContext.customer,
        before_transaction=_count,
    ),
    "cancel_order_transfer": _change(
        "Cancel the customer's own request for an order.",
        act=_by(cancellation.cancel),
        who=RequestContext.customer,
    ),
    "accept_order_transfer": _change(
        "Give an order to the customer who has requested it, by the token of the email.",
        act=_by(answering.accept),
        input=TransferTokenInput,
    ),
    "decline_order_transfer": _change(
        "Decline a request for an order, by the token of the email.",
        act=_by(answering.decline),
        input=TransferTokenInput,
    ),
}
