"""The shop file's product types, tags and collections."""

from collections.abc import Mapping
from typing import ClassVar

from catalog.models import ProductCollection, ProductTag, ProductType
from catalog.models.former_handles import FORMER
from catalog.products.labels import COLLECTIONS, TAGS, TYPES
from catalog.shop_file.handles import SEARCH_ENGINES, FormerHandles, TitledRows
from kit.editing.changes import Row
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Metadata, Text, Value
from kit.values.text import LONGEST


class Labels(RowsSection[Row]):
    """Product types and tags."""

    natural_key = "value"
    fields: ClassVar[Mapping[str, Value]] = {
        "value": Text(required=True, longest=LONGEST, may_be_blank=False),
        "metadata": Metadata(),
    }


class ProductTypes(Labels[ProductType]):
    """Every type that is not deleted."""

    key = "product_types"
    prefix = "ptyp"
    verbs = TYPES
    model = ProductType


class ProductTags(Labels[ProductTag]):
    """Every tag that is not deleted."""

    key = "product_tags"
    prefix = "ptag"
    verbs = TAGS
    model = ProductTag


class ProductCollections(TitledRows[ProductCollection]):
    """Every collection that is not deleted."""

    key = "product_collections"
    prefix = "pcol"
    verbs = COLLECTIONS
    model = ProductCollection
    fields: ClassVar[Mapping[str, Value]] = {
        "title": Text(required=True, longest=LONGEST, may_be_blank=False),
        "handle": Text(longest=LONGEST, may_be_blank=False),
        **SEARCH_ENGINES,
        FORMER: FormerHandles(),
        "metadata": Metadata(),
    }
