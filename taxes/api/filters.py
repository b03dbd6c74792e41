"""The filters of taxes."""

from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet
from kit.reads.filters.filters import CodeFilter, FlagFilter, SearchFilter, TextFilter


class TaxRegionFilters(RecordFilters):
    """Tax regions, also by their place."""

    q = SearchFilter(columns=("country__display_name", "province"))
    country_code = CodeFilter(field_name="country_id")
    province_code = CodeFilter(field_name="province", nullable=True)
    parent_id = TextFilter(nullable=True)
    provider_id = TextFilter(nullable=True)


class TaxRateFilters(RecordFilters):
    """Rates, also by their tax region."""

    q = SearchFilter(columns=("name", "code"))
    tax_region_id = TextFilter()
    is_default = FlagFilter()


class TaxProviderFilters(ResourceFilterSet):
    """Tax providers."""

    id = TextFilter()
    is_enabled = FlagFilter()
