"""What belongs to an order, in tables below its screen."""

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from commerce.kit.admin.read_only_inline import ReadOnlyInline
from orders.admin.columns import VIEW, worth
from orders.models import OrderCreditLine, OrderLineItem, OrderPromotion, OrderShippingMethod, OrderTransaction


class OrderPartInline(ReadOnlyInline):
    """Read-only rows of an order, which knows their currency."""

    permission = VIEW

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        rows: QuerySet[Model] = super().get_queryset(request)
        return rows.select_related("order")


class LineInline(OrderPartInline):
    """The lines of the order."""

    model = OrderLineItem
    fields = readonly_fields = ("title", "variant_title", "variant_sku", "quantity", "price", "discount", "sum", "done")
    ordering = ("created_at", "id")
    verbose_name_plural = "Lines"

    @admin.display(description="Unit price")
    def price(self, row: OrderLineItem) -> str:
        return worth(row.unit_price, row.order.currency_id)

    @admin.display(description="Discount")
    def discount(self, row: OrderLineItem) -> str | None:
        return worth(row.discount_total, row.order.currency_id) if row.discount_total else None

    @admin.display(description="Total")
    def sum(self, row: OrderLineItem) -> str:
        return worth(row.total, row.order.currency_id)

    @admin.display(description="Progress")
    def done(self, row: OrderLineItem) -> str | None:
        """`2 fulfilled, 1 shipped`; None, which Django shows as a dash, before anything is."""
        counted = {
            "fulfilled": row.fulfilled_quantity,
            "shipped": row.shipped_quantity,
            "delivered": row.delivered_quantity,
            "returned": row.return_received_quantity,
        }
        return ", ".join(f"{units} {name}" for name, units in counted.items() if units) or None


class ShippingMethodInline(OrderPartInline):
    """Its shipping methods."""

    model = OrderShippingMethod
    fields = readonly_fields = ("name", "sum")
    verbose_name_plural = "Shipping"

    @admin.display(description="Total")
    def sum(self, row: OrderShippingMethod) -> str:
        return worth(row.total, row.order.currency_id if row.order else "")


class PromotionInline(OrderPartInline):
    """The promotions that it used."""

    model = OrderPromotion
    fields = readonly_fields = ("code", "is_automatic", "type", "target", "value")
    verbose_name_plural = "Promotions"


class CreditLineInline(OrderPartInline):
    """What gift cards and store credit paid."""

    model = OrderCreditLine
    fields = readonly_fields = ("reference", "reference_id", "paid")
    verbose_name_plural = "Paid by credit"

    @admin.display(description="Amount")
    def paid(self, row: OrderCreditLine) -> str:
        return worth(row.amount, row.order.currency_id)


class TransactionInline(OrderPartInline):
    """Captured and refunded money."""

    model = OrderTransaction
    fields = readonly_fields = ("created_at", "reference", "reference_id", "moved")
    ordering = ("created_at", "id")
    verbose_name_plural = "Transactions"

    @admin.display(description="Amount")
    def moved(self, row: OrderTransaction) -> str:
        return worth(row.amount, row.currency_id)
