"""Screens of categories, and moving them."""

from catalog.admin.categories import categories

__all__ = ["categories"]
