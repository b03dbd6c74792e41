"""The filters of the shop's routes."""

from kit.reads.filters.filtering import RecordFilters, TimestampFilters
from kit.reads.filters.filters import CodeFilter, SearchFilter, TextFilter


class RegionFilters(RecordFilters):
    """Regions, by name and currency."""

    q = SearchFilter(columns=("name", "currency__code"))
    name = TextFilter()
    currency_code = CodeFilter(field_name="currency_id")


class CurrencyFilters(TimestampFilters):
    """Currencies, by code and name."""

    q = SearchFilter(columns=("code", "name"))
    code = CodeFilter()
