"""Screens of price lists."""

from catalog.admin.price_lists import price_lists

__all__ = ["price_lists"]
