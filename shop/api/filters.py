"""The filters of the shop's routes."""

from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet, TimestampFilters
from kit.reads.filters.filters import CodeFilter, FlagFilter, SearchFilter, TextFilter


class RegionFilters(RecordFilters):
    """Regions, by name and currency."""

    q = SearchFilter(columns=("name", "currency__code"))
    name = TextFilter()
    currency_code = CodeFilter(field_name="currency_id")


class CurrencyFilters(TimestampFilters):
    """Currencies, by code and name."""

    q = SearchFilter(columns=("code", "name"))
    code = CodeFilter()


class LocaleFilters(ResourceFilterSet):
    """No filters: there is one locale."""


class SalesChannelFilters(RecordFilters):
    """Sales channels, by texts, stock locations and publishable keys."""

    q = SearchFilter(columns=("name", "description"))
    name = TextFilter()
    description = TextFilter()
    is_disabled = FlagFilter()
    location_id = TextFilter(field_name="id", through="stock_locations")
    publishable_key_id = TextFilter(field_name="id", through="api_keys")


class StoreFilters(RecordFilters):
    """The store, by name."""

    q = SearchFilter(columns=("name",))
    name = TextFilter()
