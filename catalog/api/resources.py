"""The catalogue's resources, as every transport reads them."""

from catalog.api.filters import ProductCategoryFilters
from catalog.api.serializers import ProductCategorySerializer
from commerce.projection.resources import Resource

PRODUCT_CATEGORIES = Resource(
    name="product_category",
    plural="product_categories",
    serializer_class=ProductCategorySerializer,
    filterset_class=ProductCategoryFilters,
    default_limit=50,
    defaults="*parent_category,*category_children",
    widening={"include_ancestors_tree": "parent_category", "include_descendants_tree": "category_children"},
)
