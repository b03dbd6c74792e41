"""The catalogue's screens."""

from catalog.admin import categories, inventory, labels, price_lists, products, variants

__all__ = ["categories", "inventory", "labels", "price_lists", "products", "variants"]
