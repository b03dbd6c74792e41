"""The screens of carts. They are read-only: customers change carts, and prices, taxes and totals follow."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.html import format_html

from carts.admin.abandoned import AbandonedFilter
from carts.admin.cart_parts import CreditLineInline, LineInline, ShippingMethodInline, amount_in, lines_with_tax
from carts.admin.order_links import ORDER_LINKS
from carts.admin.payment_links import PAYMENT_LINK
from carts.models import Cart, LineItem
from carts.pricing.tax_terms import TaxTerms, total_name
from kit.admin.forms.record_section import record_section
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.label_column import label_column
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section


@admin.register(Cart)
class CartAdmin(ReadOnlyAdmin[Cart]):
    """Carts, the newest first. Their ids, which open them for shoppers, are not shown."""

    section = Section.CUSTOMERS
    icon = "shopping_cart"
    nothing_yet = "Carts appear here once shoppers put something into one at a storefront."
    inlines = (LineInline, ShippingMethodInline, CreditLineInline)

    list_display = ("owner", "region", "lines", "cart_total", "cart_state", "updated_at")
    list_filter = ("region", "sales_channel", AbandonedFilter)
    list_select_related = ("region", "customer")
    search_fields = ("email", "=id", "=customer__id")
    search_help_text = "Email, id or customer id"
    ordering = ("-id",)
    list_per_page = 25
    costs = ("promotion_codes", "items", "shipping", "discounts", "taxes", "credit", "cart_total")
    readonly_fields = ("order", "payment", *costs)
    fieldsets = (
        (None, {"fields": ("email", "customer", "order", "payment", "region", "sales_channel", "locale")}),
        ("Addresses", {"fields": ("shipping_address", "billing_address")}),
        ("Costs", {"fields": costs}),
        record_section("metadata", "completed_at", "created_at", "updated_at", "deleted_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Cart]:
        """Without drafts; with the number of lines of each cart, counted for the shown carts only."""
        lines = LineItem.objects.not_deleted().filter(cart=OuterRef("pk")).order_by().values("cart")
        rows: QuerySet[Cart] = super().get_queryset(request).filter(is_draft=False)
        return rows.annotate(line_count=Coalesce(Subquery(lines.values(count=Count("pk"))), 0))

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """With the links to the order and the payments, and the terms in which its amounts are shown."""
        row: Any = super().get_object(request, *args, **kwargs)
        if row is not None:
            row.terms = TaxTerms(lines_with_tax(row).exists())
            row.order_link = ORDER_LINKS.get()(request, cart_ids=[row.pk]).get(row.pk)
            row.payment_link = PAYMENT_LINK.get()(request, row.pk)
        return row

    @admin.display(description="Order")
    def order(self, row: Any) -> str | None:
        link: str | None = row.order_link
        return link

    @admin.display(description="Payment")
    def payment(self, row: Any) -> str | None:
        link: str | None = row.payment_link
        return link

    @admin.display(description="Customer", ordering="email")
    def owner(self, row: Cart) -> str:
        return row.email or (str(row.customer) if row.customer else "Guest without an email")

    @admin.display(description="Lines")
    def lines(self, row: Any) -> int:
        return int(row.line_count)

    @label_column(description="State", colours={"completed": "success"})
    def cart_state(self, row: Cart) -> str:
        return "completed" if row.completed_at else "open"

    @admin.display(description="Promotions")
    def promotion_codes(self, row: Cart) -> str:
        return ", ".join(row.promotions.order_by("code").values_list("code", flat=True))

    @admin.display(description="Items")
    def items(self, row: Any) -> str:
        return amount_in(row.terms, row.terms.items(row), row.currency_id)

    @admin.display(description="Shipping")
    def shipping(self, row: Any) -> str:
        return amount_in(row.terms, row.terms.shipping(row), row.currency_id)

    @admin.display(description="Discounts")
    def discounts(self, row: Any) -> str:
        return amount_in(row.terms, row.terms.discount(row), row.currency_id)

    @admin.display(description="Taxes")
    def taxes(self, row: Any) -> str:
        amount = amount_cell(row.tax_total, row.currency_id)
        shown = format_html("{}, included above", amount) if row.terms.is_tax_inclusive else amount
        return format_html("{}, {}", shown, row.get_tax_fallback_display()) if row.tax_fallback else shown

    @admin.display(description="Paid by gift cards and store credit")
    def credit(self, row: Cart) -> str:
        return amount_cell(row.credit_line_total, row.currency_id)

    @admin.display(description=total_name(is_tax_exempt=False), ordering="total")
    def cart_total(self, row: Cart) -> str:
        return amount_cell(row.total, row.currency_id)
