"""The catalogue's routes."""

from catalog.api import field_sets
from catalog.api.filters import ProductCategoryFilters
from catalog.api.serializers import ProductCategorySerializer
from commerce.api.reads import List, Retrieve
from commerce.api.viewsets import StoreEndpoint


class ProductCategories(List, Retrieve, StoreEndpoint):
    """Product categories: the catalogue's tree, as far as the store shows it."""

    resource = "product_category"
    resources = "product_categories"
    serializer_class = ProductCategorySerializer
    field_set = field_sets.PRODUCT_CATEGORIES
    filterset_class = ProductCategoryFilters
    default_limit = 50
    widening = {"include_ancestors_tree": "parent_category", "include_descendants_tree": "category_children"}
