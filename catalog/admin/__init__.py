"""The catalogue's screens."""

from catalog.admin import categories, labels, products, variants

__all__ = ["categories", "labels", "products", "variants"]
