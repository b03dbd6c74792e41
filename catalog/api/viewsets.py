"""The catalogue's routes."""

from catalog.api import resources
from commerce.kit.api.reads import List, Retrieve
from commerce.kit.api.viewsets import StoreEndpoint


class CatalogEndpoint(List, Retrieve, StoreEndpoint):
    """The read-only routes of the catalogue."""

    is_catalogue = True


class ProductCategories(CatalogEndpoint):
    """Product categories, in a tree."""

    resource = resources.PRODUCT_CATEGORIES


class Products(CatalogEndpoint):
    """Published products in the key's sales channels, with prices in the caller's price context."""

    resource = resources.PRODUCTS


class ProductVariants(CatalogEndpoint):
    """Variants of the products that the caller may see."""

    resource = resources.PRODUCT_VARIANTS


class Collections(CatalogEndpoint):
    """Collections, the newest first."""

    resource = resources.COLLECTIONS


class ProductTypes(CatalogEndpoint):
    """Product types."""

    resource = resources.PRODUCT_TYPES


class ProductTags(CatalogEndpoint):
    """Product tags."""

    resource = resources.PRODUCT_TAGS


class ProductOptions(CatalogEndpoint):
    """Options of the products that the caller may see."""

    resource = resources.PRODUCT_OPTIONS
