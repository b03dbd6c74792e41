"""The catalogue's tables: categories, products and what belongs to them, prices, stock."""

from catalog.models.categories import MAX_DEPTH, PathField, ProductCategory, ProductCategoryQuerySet
from catalog.models.former_handles import FormerCategoryHandle, FormerCollectionHandle, FormerProductHandle
from catalog.models.inventory import InventoryItem, InventoryLevel, Reservation, VariantInventoryItem
from catalog.models.labels import ProductCollection, ProductTag, ProductType
from catalog.models.listed_groups import ListedCategory, ListedTag
from catalog.models.listed_products import ListedProduct
from catalog.models.lowest_prices import LowestPrice, StalePrice
from catalog.models.lowest_stock import LowestStock, StaleStock
from catalog.models.pricing import Price, PriceList, PriceListRule, PriceRule, PriceSet
from catalog.models.product_counts import ProductCount
from catalog.models.products import Product
from catalog.models.search_entries import ProductSearch
from catalog.models.stock_movements import StockMovement
from catalog.models.variants import ProductImage, ProductOption, ProductOptionValue, ProductVariant

__all__ = [
    "MAX_DEPTH",
    "FormerCategoryHandle",
    "FormerCollectionHandle",
    "FormerProductHandle",
    "InventoryItem",
    "InventoryLevel",
    "ListedCategory",
    "ListedProduct",
    "ListedTag",
    "LowestPrice",
    "LowestStock",
    "PathField",
    "Price",
    "PriceList",
    "PriceListRule",
    "PriceRule",
    "PriceSet",
    "Product",
    "ProductCategory",
    "ProductCategoryQuerySet",
    "ProductCollection",
    "ProductCount",
    "ProductImage",
    "ProductOption",
    "ProductOptionValue",
    "ProductSearch",
    "ProductTag",
    "ProductType",
    "ProductVariant",
    "Reservation",
    "StalePrice",
    "StaleStock",
    "StockMovement",
    "VariantInventoryItem",
]
