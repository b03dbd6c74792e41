"""Orders in GraphQL, for staff."""

from kit.graphql.fields.reads import ListField, SingleField
from orders.api.resources import ADMIN_ORDERS, ORDER_CHANGES, ORDER_ITEMS

VIEWING_ORDERS = "orders.view_order"

ADMIN_ORDER_QUERIES = {
    "admin_orders": ListField(ADMIN_ORDERS, "Orders. For staff.", permission=VIEWING_ORDERS),
    "admin_order": SingleField(ADMIN_ORDERS, "One order. For staff.", permission=VIEWING_ORDERS),
    "order_changes": ListField(
        ORDER_CHANGES, "Requests to return items of orders. For staff.", permission="orders.view_return"
    ),
    "order_items": ListField(ORDER_ITEMS, "The lines of orders. For staff.", permission=VIEWING_ORDERS),
}
