"""The catalogue's routes."""

from catalog.api import resources
from commerce.api.reads import List, Retrieve
from commerce.api.viewsets import StoreEndpoint


class ProductCategories(List, Retrieve, StoreEndpoint):
    """Product categories: the catalogue's tree, as far as the store shows it."""

    resource = resources.PRODUCT_CATEGORIES
