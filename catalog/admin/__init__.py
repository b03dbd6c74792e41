"""The catalogue's screens, a folder for each subject."""

from catalog.admin import categories, price_lists, products, stock, variants

__all__ = ["categories", "price_lists", "products", "stock", "variants"]
