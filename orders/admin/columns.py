"""Admin columns of orders and their parts: amounts with their currency, statuses as labels."""

from collections.abc import Callable
from decimal import Decimal

from django.contrib import admin
from django.utils.html import format_html

from commerce.kit.admin.amounts import shown
from commerce.kit.admin.label_column import label_column
from orders.models import Order

VIEW = "orders.view_order"
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


def worth(amount: Decimal, currency_code: str) -> str:
    """The amount with its currency, on one line."""
    return format_html('<span class="whitespace-nowrap">{}</span>', shown(amount, currency_code))


def amount_column(name: str) -> Callable[[object, Order], str]:
    """A column that shows that amount of an order with its currency."""

    @admin.display(description=name.replace("_", " ").capitalize(), ordering=name)
    def column(_: object, row: Order) -> str:
        return worth(getattr(row, name), row.currency_id)

    return column


class OrderColumns:
    """The number, total and statuses of an order."""

    @admin.display(description="Number", ordering="display_id")
    def number(self, row: Order) -> str:
        return str(row)

    @admin.display(description="Total", ordering="total")
    def worth(self, row: Order) -> str:
        return worth(row.total, row.currency_id)

    @label_column(description="Status", colours=ORDER_COLOURS)
    def state(self, row: Order) -> str:
        return row.status

    @label_column(description="Payment", colours=PAYMENT_COLOURS)
    def payment(self, row: Order) -> str:
        return row.payment_status

    @label_column(description="Fulfillment", colours=FULFILLMENT_COLOURS)
    def fulfillment(self, row: Order) -> str:
        return row.fulfillment_status
