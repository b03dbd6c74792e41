"""The admin screens of orders."""

from orders.admin import attempts, orders, return_reasons

__all__ = ["attempts", "orders", "return_reasons"]
