"""The admin screens of orders."""

from orders.admin import attempts, customer_parts, orders, overview, return_reasons

__all__ = ["attempts", "customer_parts", "orders", "overview", "return_reasons"]
