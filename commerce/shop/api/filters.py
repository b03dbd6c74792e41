"""The filters of the shop's routes. Source: behaviour.md 8.1."""

from commerce.kit.core.filtering import RecordFilters, TimestampFilters
from commerce.kit.core.filters import CodeFilter, SearchFilter, TextFilter


class RegionFilters(RecordFilters):
    """Source: behaviour.md 8.1, GET /store/regions."""

    q = SearchFilter(columns=("name", "currency__code"))
    name = TextFilter()
    currency_code = CodeFilter(field_name="currency_id")


class CurrencyFilters(TimestampFilters):
    """Source: behaviour.md 8.1, GET /store/currencies."""

    q = SearchFilter(columns=("code", "name"))
    code = CodeFilter()
