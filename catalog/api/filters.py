"""The filters of the catalogue in the store."""

from collections.abc import Sequence
from typing import Any

from catalog.handles import decoded
from catalog.models import (
    Product,
    ProductCategory,
    ProductCollection,
    ProductOption,
    ProductTag,
    ProductType,
    ProductVariant,
)
from kit.query.conditions import EVERYTHING, Condition, Is
from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import (
    FlagFilter,
    ObjectFilter,
    ResourceFilter,
    SearchFilter,
    TextFilter,
)
from kit.search.documents import columns_of


def _options() -> ObjectFilter:
    """Filters of a variant by one of its option values."""
    members = {"value": TextFilter(field_name="value"), "option_id": TextFilter(field_name="option_id")}
    return ObjectFilter(members=members, through="options")


class HandleFilter(TextFilter):
    """Equality with a handle, as it is or percent-encoded.

    Why: docs/decisions/catalogue.md#handles-are-found-percent-encoded.
    """

    def condition(self, raw: Any, *, name: str) -> Condition:
        if isinstance(raw, str) and decoded(raw) != raw:
            raw = [raw]
        return super().condition(raw, name=name)

    def _among(self, texts: tuple[str, ...]) -> Sequence[Condition]:
        return super()._among(tuple(dict.fromkeys(form for text in texts for form in (text, decoded(text)))))


class ProductCategoryFilters(RecordFilters):
    """Categories, by their texts and their parent."""

    q = SearchFilter(columns=columns_of(ProductCategory))
    name = TextFilter()
    description = TextFilter()
    handle = HandleFilter()
    parent_category_id = TextFilter(nullable=True)


OF_VARIANTS: dict[str, ResourceFilter] = {
    **{name: TextFilter(field_name=name) for name in ("sku", "title", "barcode", "ean", "upc")},
    "options": _options(),
    **{name: FlagFilter(field_name=name) for name in ("allow_backorder", "manage_inventory")},
}
"""The filters of products by one of their variants."""


class ProductFilters(RecordFilters):
    """Products, also by related rows and by their variants."""

    q = SearchFilter(columns=(*columns_of(Product), *(f"variants__{column}" for column in columns_of(ProductVariant))))
    title = TextFilter()
    handle = HandleFilter()
    external_id = TextFilter(nullable=True)
    category_id = TextFilter(field_name="id", through="categories")
    collection_id = TextFilter(nullable=True)
    type_id = TextFilter(nullable=True)
    tag_id = TextFilter(field_name="id", through="tags")
    sales_channel_id = TextFilter(field_name="id", through="sales_channels")
    option_value_id = TextFilter(field_name="id", through="variants.options")
    is_giftcard = FlagFilter()
    variants = ObjectFilter(members=OF_VARIANTS, through="variants")


class ProductCollectionFilters(RecordFilters):
    """Collections."""

    q = SearchFilter(columns=columns_of(ProductCollection))
    title = TextFilter()
    handle = HandleFilter()


class ProductTypeFilters(RecordFilters):
    """Types."""

    q = SearchFilter(columns=columns_of(ProductType))
    value = TextFilter()


class ProductTagFilters(RecordFilters):
    """Tags."""

    q = SearchFilter(columns=columns_of(ProductTag))
    value = TextFilter()


class OwnedFilter(FlagFilter):
    """Whether an option belongs to a single product. All of them do, so `false` matches none."""

    def condition(self, raw: object, *, name: str) -> Condition:
        return EVERYTHING if super().condition(raw, name=name) == Is(self.column, value=True) else Is("pk__in", ())


class ProductOptionFilters(RecordFilters):
    """Options."""

    q = SearchFilter(columns=columns_of(ProductOption))
    title = TextFilter()
    product_id = TextFilter()
    is_exclusive = OwnedFilter()


class ProductOptionValueFilters(RecordFilters):
    """Values of options."""

    q = SearchFilter(columns=("value",))
    value = TextFilter()
    option_id = TextFilter()


class ProductVariantFilters(RecordFilters):
    """Variants."""

    q = SearchFilter(columns=columns_of(ProductVariant))
    title = TextFilter()
    sku = TextFilter()
    barcode = TextFilter()
    ean = TextFilter()
    upc = TextFilter()
    product_id = TextFilter()
    options = _options()
    allow_backorder = FlagFilter()
    manage_inventory = FlagFilter()
