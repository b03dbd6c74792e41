"""Reading orders in GraphQL."""

from kit.graphql.context import RequestContext
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.roots import Arguments
from kit.query.selection import Selection
from orders.api.guess_limits import guesser
from orders.api.resources import ORDERS


class OrderField(SingleField):
    """A query that takes the id of an order."""

    def answer(self, context: RequestContext, plan: Selection, args: Arguments) -> PreshapedValue:
        guessing = guesser(context.shopper, context.request.META)
        with guessing.guess(context.outside, context.counted):
            return super().answer(context, plan, args)


ORDER_QUERIES = {
    "orders": ListField(ORDERS, "The customer's orders.", who=RequestContext.customer),
    "order": OrderField(ORDERS, "An order: the customer's own, or a guest's."),
}
