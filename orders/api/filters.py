"""The filters of orders' routes. Source: orders.md D18."""

from commerce.kit.core.filtering import RecordFilters, ResourceFilterSet
from commerce.kit.core.filters import ChoiceFilter, DateFilter, SearchFilter, TextFilter
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus


class OrderFilters(ResourceFilterSet):
    """Filters of a customer's orders."""

    id = TextFilter()
    status = ChoiceFilter(choices=tuple(OrderStatus.values))
    created_at = DateFilter()
    updated_at = DateFilter()
    payment_status = ChoiceFilter(choices=tuple(PaymentStatus.values))
    fulfillment_status = ChoiceFilter(choices=tuple(FulfillmentStatus.values))


class RefundFilters(RecordFilters):
    """Filters of refunds, for staff."""

    order_id = TextFilter()
    return_id = TextFilter(nullable=True)


class ReturnReasonFilters(ResourceFilterSet):
    """None: a shop has few return reasons."""


class AdminReturnReasonFilters(RecordFilters):
    """Filters of return reasons, for staff."""

    q = SearchFilter(columns=("value", "label", "description"))
    value = TextFilter()
    label = TextFilter()
    description = TextFilter()
    parent_return_reason_id = TextFilter(nullable=True)
