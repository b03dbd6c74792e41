"""The filters of payment lists."""

from commerce.kit.core.filtering import ResourceFilterSet
from commerce.kit.core.filters import OneTextFilter


class PaymentProviderFilters(ResourceFilterSet):
    """region_id: required. Source: behaviour.md 8.2, GET /store/payment-providers."""

    region_id = OneTextFilter(field_name="id", through="regions", is_required=True)


class PaymentCollectionFilters(ResourceFilterSet):
    """There is no list of collections."""
