"""Admin columns of orders and their parts: amounts with their currency, statuses as labels."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.utils.text import capfirst
from unfold.decorators import display

from kit.admin.history.timeline import stamp
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.label_column import label_column
from orders.models import Order, OrderLineItem

ORDER_COLOURS = {"completed": "success", "canceled": "danger"}
PAYMENT_COLOURS = {
    "captured": "success",
    "authorized": "info",
    "awaiting": "info",
    "requires_action": "warning",
    "partially_authorized": "warning",
    "partially_captured": "warning",
    "not_paid": "danger",
    "canceled": "danger",
}
FULFILLMENT_COLOURS = {
    "delivered": "success",
    "shipped": "info",
    "fulfilled": "info",
    "partially_fulfilled": "warning",
    "partially_shipped": "warning",
    "partially_delivered": "warning",
    "canceled": "danger",
}


def status_name(status: str) -> str:
    """`Partially shipped` for `partially_shipped`."""
    return capfirst(status.replace("_", " "))


def _named(colours: Mapping[str, str]) -> dict[str, str]:
    return {status_name(status): colour for status, colour in colours.items()}


def with_items(rows: QuerySet[Order]) -> QuerySet[Order]:
    """The orders with the number of their units as `units`, for the column of items."""
    lines = OrderLineItem.objects.not_deleted().filter(order=OuterRef("pk")).order_by().values("order")
    return rows.annotate(units=Subquery(lines.annotate(units=Sum("quantity")).values("units")))


class OrderColumns:
    """The number, customer, time, sales channel, items, total, statuses and open tasks of an order."""

    @admin.display(description="Number", ordering="display_id")
    def number(self, row: Order) -> str:
        return str(row)

    @display(description="Customer", header=True)  # type: ignore[untyped-decorator]
    def customer_name(self, row: Order) -> tuple[str, str]:
        name = name_of(row)
        return name, "" if name == row.email else row.email or ""

    @admin.display(description="Placed", ordering="created_at")
    def placed(self, row: Order) -> str:
        return stamp(row.created_at)

    @admin.display(description="Sales channel")
    def channel(self, row: Order) -> str:
        return row.sales_channel.name

    @admin.display(description="Items")
    def items(self, row: Any) -> str:
        return str(row.units or 0)

    @admin.display(description="Total", ordering="total")
    def order_total(self, row: Order) -> str:
        return amount_cell(row.total, row.currency_id)

    @label_column(description="Order", colours=_named(ORDER_COLOURS))
    def state(self, row: Order) -> str:
        return status_name(row.status)

    @label_column(description="Payment", colours=_named(PAYMENT_COLOURS))
    def payment(self, row: Order) -> str:
        return status_name(row.payment_status)

    @label_column(description="Fulfillment", colours=_named(FULFILLMENT_COLOURS))
    def fulfillment(self, row: Order) -> str:
        return status_name(row.fulfillment_status)

    @display(description="To do", label=True)  # type: ignore[untyped-decorator]
    def to_do(self, row: Any) -> list[str] | None:
        return [task.label for task in row.tasks] or None


def name_of(order: Order) -> str:
    """The customer's name, or else the name in an address, or else the email address."""
    for person in (order.customer, order.shipping_address, order.billing_address):
        name = person and f"{person.first_name or ''} {person.last_name or ''}".strip()
        if name:
            return name
    return order.email or ""
