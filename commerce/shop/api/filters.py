"""The filters of the shop's routes. Source: behaviour.md 8.1."""

from commerce.core.filtering import ResourceFilterSet
from commerce.core.filters import DateFilter, SearchFilter, TextFilter


class RegionFilters(ResourceFilterSet):
    """Source: behaviour.md 8.1, GET /store/regions."""

    q = SearchFilter(columns=("name", "currency__code"))
    id = TextFilter()
    name = TextFilter()
    currency_code = TextFilter(field_name="currency_id")
    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()


class CurrencyFilters(ResourceFilterSet):
    """Source: behaviour.md 8.1, GET /store/currencies."""

    q = SearchFilter(columns=("code", "name"))
    code = TextFilter()
    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()
