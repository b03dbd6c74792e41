"""Screens of variants, and the table of a product's variants."""

from catalog.admin.variants import variants

__all__ = ["variants"]
