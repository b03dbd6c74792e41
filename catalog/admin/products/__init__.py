"""Screens of products and their labels, with pictures and search."""

from catalog.admin.products import labels, products

__all__ = ["labels", "products"]
