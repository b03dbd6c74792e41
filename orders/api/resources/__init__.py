"""The resources of orders, for REST and GraphQL."""

from orders.api.resources.orders import ORDERS, RETURN_REASONS

__all__ = ["ORDERS", "RETURN_REASONS"]
