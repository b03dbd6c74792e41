"""The screens of carts. They are read-only: customers change carts, and prices, taxes and totals follow."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from carts.admin.abandoned import AbandonedFilter
from carts.models import Cart, CreditLine, LineItem, ShippingMethod
from commerce.kit.admin.label_column import label_column
from commerce.kit.admin.read_only_admin import ReadOnlyAdmin
from commerce.kit.admin.read_only_inline import ReadOnlyInline
from commerce.kit.admin.sections import Section


class LineInline(ReadOnlyInline):
    """The lines of the cart."""

    model = LineItem
    permission = "carts.view_cart"
    fields = (
        "title",
        "variant_title",
        "variant_sku",
        "quantity",
        "unit_price",
        "discount_total",
        "total",
    )
    readonly_fields = fields
    verbose_name_plural = "Lines"


class ShippingMethodInline(ReadOnlyInline):
    """Its shipping methods."""

    model = ShippingMethod
    permission = "carts.view_cart"
    fields = ("name", "amount", "total")
    readonly_fields = fields
    verbose_name_plural = "Shipping"


class CreditLineInline(ReadOnlyInline):
    """Its credit lines."""

    model = CreditLine
    permission = "carts.view_cart"
    fields = ("reference", "reference_id", "amount")
    readonly_fields = fields
    verbose_name_plural = "Paid by credit"


@admin.register(Cart)
class CartAdmin(ReadOnlyAdmin[Cart]):
    """Carts, the newest first."""

    section = Section.CUSTOMERS
    icon = "shopping_cart"
    inlines = (LineInline, ShippingMethodInline, CreditLineInline)

    list_display = ("id", "email", "region", "lines", "total", "currency", "cart_state", "updated_at")
    list_filter = ("region", "sales_channel", AbandonedFilter)
    list_select_related = ("region", "currency")
    search_fields = ("email", "=id", "=customer__id")
    search_help_text = "E-mail, id or customer id"
    ordering = ("-id",)
    list_per_page = 25
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("email", "customer", "region", "sales_channel", "currency", "locale")}),
        ("Addresses", {"fields": ("shipping_address", "billing_address")}),
        (
            "Costs",
            {
                "fields": (
                    *("promotions", "item_subtotal", "shipping_subtotal", "discount_subtotal", "tax_total"),
                    *("credit_line_total", "total"),
                )
            },
        ),
        (
            "Record",
            {
                "fields": ("metadata", "id", "completed_at", "created_at", "updated_at", "deleted_at"),
                "classes": ("collapse",),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Cart]:
        """With the number of lines of each cart, counted for the shown carts only."""
        lines = LineItem.objects.not_deleted().filter(cart=OuterRef("pk")).order_by().values("cart")
        rows: QuerySet[Cart] = super().get_queryset(request)
        return rows.annotate(line_count=Coalesce(Subquery(lines.values(count=Count("pk"))), 0))

    @admin.display(description="Lines")
    def lines(self, row: Any) -> int:
        return int(row.line_count)

    @label_column(description="State", colours={"completed": "success"})
    def cart_state(self, row: Cart) -> str:
        return "completed" if row.completed_at else "open"
