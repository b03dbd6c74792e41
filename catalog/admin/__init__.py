"""The catalogue's screens."""

from catalog.admin import categories, inventory, labels, price_lists, products, stock_movements, variants

__all__ = ["categories", "inventory", "labels", "price_lists", "products", "stock_movements", "variants"]
