"""The admin screens of orders."""

from orders.admin import attempts, buyers, customer_parts, orders, overview, return_reasons
from orders.admin.printing import invoice_screens

__all__ = ["attempts", "buyers", "customer_parts", "invoice_screens", "orders", "overview", "return_reasons"]
