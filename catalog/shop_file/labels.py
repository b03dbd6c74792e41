"""The shop file's product types, tags and collections."""

from catalog.models import ProductCollection, ProductTag, ProductType
from catalog.products.labels import COLLECTIONS, TAGS, TYPES
from catalog.shop_file.handles import FORMER_HANDLES, HANDLE, TitledRows
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import RowsSection


class ProductTypes(RowsSection[ProductType]):
    """Every type that is not deleted."""

    key = "product_types"
    natural_key = "value"
    verbs = TYPES


class ProductTags(RowsSection[ProductTag]):
    """Every tag that is not deleted."""

    key = "product_tags"
    natural_key = "value"
    verbs = TAGS


class ProductCollections(TitledRows[ProductCollection]):
    """Every collection that is not deleted."""

    key = "product_collections"
    verbs = COLLECTIONS
    fields = row_fields(COLLECTIONS, handle=HANDLE, former_handles=FORMER_HANDLES)
