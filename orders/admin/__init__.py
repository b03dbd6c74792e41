"""The admin screens of orders."""

from orders.admin import attempts, buyers, customer_parts, drafts, orders, overview, return_reasons
from orders.admin.invoices import screen as invoice_screen

__all__ = ["attempts", "buyers", "customer_parts", "drafts", "invoice_screen", "orders", "overview", "return_reasons"]
