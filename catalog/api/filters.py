"""The filters of the catalogue's routes. Source: interface.md; behaviour.md 3.3, 8.1."""

from commerce.core.filtering import DateFilter, ResourceFilterSet, SearchFilter, TextFilter

VARIANT_SEARCH = ("title", "sku", "barcode", "ean", "upc")


class RecordFilters(ResourceFilterSet):
    """What every row of the catalogue has."""

    id = TextFilter()
    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()


class ProductCategoryFilters(RecordFilters):
    """Source: interface.md, GET /store/product-categories."""

    q = SearchFilter(columns=("name", "description", "handle"))
    name = TextFilter()
    description = TextFilter()
    handle = TextFilter()
    parent_category_id = TextFilter(nullable=True)


class ProductFilters(RecordFilters):
    """Products, also by what they belong to and what their variants are."""

    q = SearchFilter(columns=("title", "subtitle", "description", "handle"))
    title = TextFilter()
    handle = TextFilter()
    external_id = TextFilter(nullable=True)
    collection_id = TextFilter(nullable=True)
    type_id = TextFilter(nullable=True)


class ProductCollectionFilters(RecordFilters):
    """Collections."""

    q = SearchFilter(columns=("title", "handle"))
    title = TextFilter()
    handle = TextFilter()


class ProductTypeFilters(RecordFilters):
    """Types."""

    q = SearchFilter(columns=("value",))
    value = TextFilter()


class ProductTagFilters(RecordFilters):
    """Tags."""

    q = SearchFilter(columns=("value",))
    value = TextFilter()


class ProductOptionFilters(RecordFilters):
    """Options."""

    q = SearchFilter(columns=("title",))
    title = TextFilter()
    product_id = TextFilter()


class ProductVariantFilters(RecordFilters):
    """Variants."""

    q = SearchFilter(columns=VARIANT_SEARCH)
    title = TextFilter()
    sku = TextFilter()
    barcode = TextFilter()
    ean = TextFilter()
    upc = TextFilter()
    product_id = TextFilter()
