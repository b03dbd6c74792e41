"""The filters of store credit. Source: interface.md, GET /store/store-credit-accounts."""

from commerce.kit.core.filtering import RecordFilters, ResourceFilterSet
from commerce.kit.core.filters import CodeFilter


class GiftCardFilters(ResourceFilterSet):
    """None: a card is found by whoever knows its id or code."""


class StoreCreditAccountFilters(RecordFilters):
    """Accounts."""

    currency_code = CodeFilter(field_name="currency_id")
