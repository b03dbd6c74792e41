"""The admin screens of orders."""

from orders.admin import attempts, buyers, customer_parts, drafts, orders, overview, return_reasons

__all__ = ["attempts", "buyers", "customer_parts", "drafts", "orders", "overview", "return_reasons"]
