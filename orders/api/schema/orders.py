"""Reading orders in GraphQL."""

from kit.graphql.context import RequestContext
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.roots import Arguments
from kit.query.selection import Selection
from orders.api.guess_limits import guesser
from orders.api.resources import ADMIN_ORDERS, ORDER_CHANGES, ORDER_ITEMS, ORDERS

VIEWING_ORDERS = "orders.view_order"


class OrderField(SingleField):
    """A query that takes the id of an order."""

    def answer(self, context: RequestContext, plan: Selection, args: Arguments) -> PreshapedValue:
        guessing = guesser(context.shopper, context.request.META)
        with guessing.guess(context.outside, context.counted):
            return super().answer(context, plan, args)


ORDER_QUERIES = {
    "orders": ListField(ORDERS, "The customer's orders.", who=RequestContext.customer),
    "order": OrderField(ORDERS, "An order: the customer's own, or a guest's."),
    "admin_orders": ListField(ADMIN_ORDERS, "Orders. For staff.", permission=VIEWING_ORDERS),
    "admin_order": SingleField(ADMIN_ORDERS, "One order. For staff.", permission=VIEWING_ORDERS),
    "order_changes": ListField(
        ORDER_CHANGES, "Requests to return items of orders. For staff.", permission="orders.view_return"
    ),
    "order_items": ListField(ORDER_ITEMS, "The lines of orders. For staff.", permission=VIEWING_ORDERS),
}
