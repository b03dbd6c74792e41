"""The catalogue's sections of the shop file."""

from catalog.shop_file.categories import ProductCategories
from catalog.shop_file.labels import ProductCollections, ProductTags, ProductTypes
from catalog.shop_file.price_lists import PriceLists
from catalog.shop_file.products import Products

__all__ = ["PriceLists", "ProductCategories", "ProductCollections", "ProductTags", "ProductTypes", "Products"]
