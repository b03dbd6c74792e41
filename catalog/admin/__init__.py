"""The catalogue's screens."""

from catalog.admin import (
    categories,
    inventory,
    labels,
    low_stock,
    price_lists,
    products,
    stock_movements,
    variants,
)

__all__ = [
    "categories",
    "inventory",
    "labels",
    "low_stock",
    "price_lists",
    "products",
    "stock_movements",
    "variants",
]
