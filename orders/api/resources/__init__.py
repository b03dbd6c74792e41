"""The resources of orders, for REST and GraphQL."""

from orders.api.resources.orders import ADMIN_RETURN_REASONS, ORDERS, RETURN_REASONS
from orders.api.resources.refunds import REFUNDS

__all__ = ["ADMIN_RETURN_REASONS", "ORDERS", "REFUNDS", "RETURN_REASONS"]
