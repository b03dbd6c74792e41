"""Which fields each route of the catalogue sends and offers."""

from catalog.api.serializers import ProductCategorySerializer
from commerce.core.selection import FieldSet
from commerce.projection.shapes import shape_of

PRODUCT_CATEGORIES = FieldSet(shape_of(ProductCategorySerializer), defaults="*parent_category,*category_children")
