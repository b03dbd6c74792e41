"""The admin screens of orders."""

from orders.admin import attempts, buyers, customer_parts, drafts, orders, overview, return_reasons
from orders.admin.printing import invoice_screens

__all__ = ["attempts", "buyers", "customer_parts", "drafts", "invoice_screens", "orders", "overview", "return_reasons"]
