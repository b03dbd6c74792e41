"""Reading orders in GraphQL."""

from commerce.kit.core.selection import Selection
from commerce.kit.graphql.context import RequestContext
from commerce.kit.graphql.execution import PreshapedValue
from commerce.kit.graphql.reads import ListField, SingleField
from commerce.kit.graphql.roots import Arguments
from orders.api.guess_limits import guesser
from orders.api.resources import ORDERS


class OrderField(SingleField):
    """A query that takes the id of an order."""

    def answer(self, context: RequestContext, plan: Selection, given: Arguments) -> PreshapedValue:
        guessing = guesser(context.shopper, context.request.META)
        with guessing.guess(context.outside, context.counted):
            return super().answer(context, plan, given)


ORDER_QUERIES = {
    "orders": ListField(ORDERS, "The customer's orders.", who=RequestContext.customer),
    "order": OrderField(ORDERS, "An order: the customer's own, or a guest's."),
}
