"""A customer's orders, on the customer's page."""

from collections.abc import Iterator

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from customers.admin.customers import CustomerAdmin
from customers.admin.timeline import MOST, timeline_source
from kit.admin.history.timeline import TimelineEvent
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.row_link import row_link
from kit.admin.request_actor import request_actor
from orders.admin.columns import OrderColumns, with_items
from orders.models import GrantedRefund, Order, Return

VIEW = "orders.view_order"


class OrderInline(OrderColumns, ReadOnlyInline):
    """The customer's orders, newest first."""

    model = Order
    permission = VIEW
    fields = readonly_fields = (
        *("link", "placed", "channel", "items", "order_total"),
        *("state", "payment", "fulfillment"),
    )
    ordering = ("-created_at", "-id")
    per_page = 20
    verbose_name_plural = "Orders"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Order]:
        return with_items(super().get_queryset(request).select_related("sales_channel"))

    @admin.display(description="Number")
    def link(self, row: Order) -> str:
        return order_link(row)


def order_link(order: Order) -> str:
    """The order's number, as a link. Only for users who may view orders."""
    return row_link("orders_order_change", order.pk, str(order))


@timeline_source
def _orders_of_customer(request: HttpRequest, customer_id: str) -> Iterator[TimelineEvent]:
    """Their orders, refunds and returns."""
    may = request_actor(request).may
    if not may(VIEW):
        return
    orders = Order.objects.not_deleted().filter(customer=customer_id)
    for order in orders.order_by("-created_at", "-pk")[:MOST]:
        total = amount_cell(order.original_order_total, order.currency_id)
        yield TimelineEvent(order.created_at, format_html("Order {} placed, {}", order_link(order), total), "Customer")
    refunds = GrantedRefund.objects.not_deleted().filter(order__customer=customer_id).select_related("order")
    for refund in refunds.order_by("-created_at", "-pk")[:MOST]:
        amount = amount_cell(refund.amount, refund.order.currency_id)
        text = format_html("{} of order {} refunded", amount, order_link(refund.order))
        yield TimelineEvent(refund.created_at, text, by_staff=refund.created_by)
    if may("orders.view_return"):
        returns = Return.objects.not_deleted().filter(order__customer=customer_id, requested_at__isnull=False)
        for row in returns.select_related("order").order_by("-requested_at", "-pk")[:MOST]:
            text = format_html("Return {} of order {} requested", row.display_id, order_link(row.order))
            by = "" if row.created_by else "Customer"
            yield TimelineEvent(row.requested_at, text, by, row.created_by)


CustomerAdmin.enter_inline(OrderInline)
