"""The filters of orders' routes."""

from typing import Any

from kit.query.conditions import EVERYTHING, Condition, Is
from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet, TimestampFilters
from kit.reads.filters.filters import (
    ChoiceFilter,
    CodeFilter,
    DateFilter,
    SearchFilter,
    TextFilter,
    UnusedTextFilter,
)
from kit.reads.filters.id_filter import IdFilter
from kit.reads.filters.number_filters import AmountFilter, NumberFilter
from orders.common.change_ids import with_prefix
from orders.common.search.entries import SEARCHED
from orders.common.search.searching import searched, searched_documents
from orders.states import (
    FulfillmentStatus,
    InvoiceKind,
    OrderChangeStatus,
    OrderStatus,
    PaymentStatus,
    ReturnStatus,
)


class OrderFilters(ResourceFilterSet):
    """Filters of a customer's orders."""

    id = IdFilter()
    status = ChoiceFilter(choices=tuple(OrderStatus.values))
    created_at = DateFilter()
    updated_at = DateFilter()
    payment_status = ChoiceFilter(choices=tuple(PaymentStatus.values))
    fulfillment_status = ChoiceFilter(choices=tuple(FulfillmentStatus.values))


class OrderSearchFilter(SearchFilter):
    """Free text that also finds phone numbers, however they are typed."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        return searched(raw)


class AdminOrderFilters(OrderFilters):
    """Filters of orders, for staff."""

    q = OrderSearchFilter(columns=SEARCHED)
    display_id = NumberFilter()
    email = CodeFilter(nullable=True)
    customer_id = TextFilter(nullable=True)
    product_id = TextFilter(through="items")
    sales_channel_id = TextFilter()
    region_id = TextFilter()
    currency_code = CodeFilter(field_name="currency_id")
    total = AmountFilter()
    custom_display_id = TextFilter(nullable=True)
    created_by = UnusedTextFilter()
    name = OrderSearchFilter(columns=SEARCHED)


class OrderItemFilters(ResourceFilterSet):
    """Filters of the lines of orders, for staff."""

    id = IdFilter(field_name="detail_id")
    order_id = TextFilter()
    item_id = TextFilter(field_name="id")
    version = NumberFilter()


class OrderNoteFilters(ResourceFilterSet):
    """Filters of notes about orders, for staff."""

    id = IdFilter()
    order_id = TextFilter()
    created_at = DateFilter()


class ReturnStatusFilter(ChoiceFilter):
    """The status of a change by that of its return."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        of_returns = (each for status in ([raw] if isinstance(raw, str) else raw) for each in _RETURNS[status])
        return Is("status__in", tuple(of_returns))


class RenamedIdFilter(TextFilter):
    """An id that is that of the row with another prefix. shown, own: the two."""

    def __init__(self, *args: Any, shown: str, own: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown, self.own = shown, own

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        ids = [raw] if isinstance(raw, str) else raw
        known = (each for each in ids if each.startswith(f"{self.shown}_"))
        return Is("pk__in", tuple(with_prefix(each, self.own) for each in known))


class ReturnTypeFilter(ChoiceFilter):
    """The type of changes that are the requests of returns."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        return EVERYTHING if "return_request" in ([raw] if isinstance(raw, str) else raw) else Is("pk__in", ())


_RETURNS = {
    OrderChangeStatus.PENDING: (ReturnStatus.OPEN,),
    OrderChangeStatus.REQUESTED: (),
    OrderChangeStatus.CONFIRMED: (ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED, ReturnStatus.RECEIVED),
    "declined": (),
    OrderChangeStatus.CANCELED: (ReturnStatus.CANCELED,),
}
_CHANGE_TYPES = (
    *("return", "return_request", "return_receive", "exchange", "claim", "edit"),
    *("transfer", "update_order", "credit_line"),
)


class OrderChangeFilters(ResourceFilterSet):
    """Filters of changes of orders, for staff."""

    id = RenamedIdFilter(shown="ordch", own="return")
    order_id = TextFilter()
    return_id = TextFilter(field_name="id")
    status = ReturnStatusFilter(choices=tuple(_RETURNS))
    change_type = ReturnTypeFilter(choices=_CHANGE_TYPES)
    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()


class OrderEditFilters(TimestampFilters):
    """The same filters of edits, exchanges and claims."""

    id = TextFilter()
    order_id = TextFilter()
    return_id = RenamedIdFilter(shown="return", own="ordch")
    status = ChoiceFilter(choices=tuple(_RETURNS))
    change_type = ChoiceFilter(field_name="kind", choices=_CHANGE_TYPES)


class ExchangeFilters(TimestampFilters):
    """Filters of exchanges, for staff."""

    id = RenamedIdFilter(shown="oexc", own="ordch")
    order_id = TextFilter()
    status = ChoiceFilter(choices=tuple(_RETURNS))


class ClaimFilters(TimestampFilters):
    """Filters of claims, for staff."""

    id = RenamedIdFilter(shown="claim", own="ordch")
    order_id = TextFilter()
    status = ChoiceFilter(choices=tuple(_RETURNS))


class DraftOrderFilters(RecordFilters):
    """Filters of draft orders."""

    q = SearchFilter(columns=("email",))
    region_id = TextFilter()
    customer_id = TextFilter(nullable=True)
    sales_channel_id = TextFilter()


class FulfillmentFilters(ResourceFilterSet):
    """None: fulfillments are listed by their orders."""


class InvoiceSearchFilter(SearchFilter):
    """The number of a document, or free text about its order."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        return searched_documents(raw)


class InvoiceFilters(ResourceFilterSet):
    """Filters of invoices and credit notes."""

    id = IdFilter()
    q = InvoiceSearchFilter(columns=("shown_number", *(f"order__{column}" for column in SEARCHED)))
    kind = ChoiceFilter(choices=tuple(InvoiceKind.values))
    order_id = TextFilter()
    currency_code = CodeFilter(field_name="currency_id")
    issued_at = DateFilter()


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


class ReturnFilters(RecordFilters):
    """Filters of returns, for staff."""

    order_id = TextFilter()
    status = ChoiceFilter(choices=tuple(ReturnStatus.values))
    location_id = TextFilter(nullable=True)
