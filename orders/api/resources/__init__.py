"""The resources of orders, for REST and GraphQL."""

from orders.api.resources.admin_orders import (
    ADMIN_FULFILLMENTS,
    ADMIN_ORDERS,
    ORDER_CHANGES,
    ORDER_ITEMS,
    ORDER_NOTES,
    REFUNDS,
)
from orders.api.resources.orders import ADMIN_RETURN_REASONS, ORDERS, RETURN_REASONS

__all__ = [
    "ADMIN_FULFILLMENTS",
    "ADMIN_ORDERS",
    "ADMIN_RETURN_REASONS",
    "ORDERS",
    "ORDER_CHANGES",
    "ORDER_ITEMS",
    "ORDER_NOTES",
    "REFUNDS",
    "RETURN_REASONS",
]
