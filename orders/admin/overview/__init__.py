"""The panels of the overview that are about orders."""

from orders.admin.overview import best_sellers, invoices, sales, waiting

__all__ = ["best_sellers", "invoices", "sales", "waiting"]
