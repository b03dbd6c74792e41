"""The filters of the catalogue's routes."""

from commerce.core.filtering import DateFilter, ResourceFilterSet, SearchFilter, TextFilter


class ProductCategoryFilters(ResourceFilterSet):
    """Source: interface.md, GET /store/product-categories."""

    q = SearchFilter(columns=("name", "description", "handle"))
    id = TextFilter()
    name = TextFilter()
    description = TextFilter()
    handle = TextFilter()
    parent_category_id = TextFilter(nullable=True)
    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()
