"""The filters of store credit. Source: interface.md, GET /store/store-credit-accounts."""

from commerce.kit.core.filtering import RecordFilters, ResourceFilterSet
from commerce.kit.core.filters import CodeFilter


class GiftCardFilters(ResourceFilterSet):
    """None: gift cards are not listed."""


class StoreCreditAccountFilters(RecordFilters):
    """Filters of store credit accounts."""

    currency_code = CodeFilter(field_name="currency_id")
