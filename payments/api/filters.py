"""The filters of payment lists."""

from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet
from kit.reads.filters.filters import FlagFilter, IdentifierFilter, OneTextFilter, SearchFilter, TextFilter
from kit.reads.filters.id_filter import IdFilter


class PaymentProviderFilters(ResourceFilterSet):
    """region_id: required."""

    region_id = OneTextFilter(field_name="id", through="regions", is_required=True)


class PaymentCollectionFilters(ResourceFilterSet):
    """There is no list of collections."""


class AdminPaymentProviderFilters(ResourceFilterSet):
    """Filters of all providers, for staff."""

    id = IdFilter()
    is_enabled = FlagFilter()


class PaymentFilters(RecordFilters):
    """Filters of payments, for staff."""

    q = IdentifierFilter(columns=("id", "session_id", "collection_id"))
    payment_session_id = TextFilter(field_name="session_id")


class RefundReasonFilters(RecordFilters):
    """Filters of refund reasons, for staff."""

    q = SearchFilter(columns=("label", "code", "description"))
