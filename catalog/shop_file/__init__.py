"""The catalogue's sections of the shop file."""

from catalog.shop_file.categories import ProductCategories

__all__ = ["ProductCategories"]
