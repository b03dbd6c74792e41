"""The screens of orders. They are read-only: an order changes by its verbs."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from unfold.contrib.filters.admin import RangeDateFilter, RelatedDropdownFilter

from commerce.kit.admin.base_admin import is_searchable
from commerce.kit.admin.read_only_admin import ReadOnlyAdmin
from commerce.kit.admin.read_only_inline import ReadOnlyInline
from commerce.kit.admin.row_link import may_open, row_link
from commerce.kit.admin.sections import Section
from orders.admin.columns import OrderColumns, amount_column
from orders.admin.exports import ExportScreens
from orders.admin.order_parts import (
    CreditLineInline,
    LineInline,
    PromotionInline,
    ShippingMethodInline,
    TransactionInline,
)
from orders.models import Order, OrderAddress, OrderPaymentCollection
from payments.models import PaymentCollection

_GOODS = ("goods", "shipping", "discounts", "taxes", "credit")
_MONEY = ("placed", "paid", "refunded")
_PAYMENTS = "Payments"
_LARGEST_NUMBER = 2**63 - 1


@admin.register(Order)
class OrderAdmin(ExportScreens, OrderColumns, ReadOnlyAdmin[Order]):
    """Orders, the newest first."""

    section = Section.ORDERS
    icon = "orders"
    inlines = (LineInline, ShippingMethodInline, PromotionInline, CreditLineInline, TransactionInline)

    goods = amount_column("item_subtotal")
    shipping = amount_column("shipping_subtotal")
    discounts = amount_column("discount_subtotal")
    taxes = amount_column("tax_total")
    credit = amount_column("credit_line_total")
    placed = amount_column("original_order_total")
    paid = amount_column("paid_total")
    refunded = amount_column("refunded_total")

    list_display = ("number", "email", "worth", "payment", "fulfillment", "state", "created_at")
    list_filter = (
        "status",
        "payment_status",
        "fulfillment_status",
        ("created_at", RangeDateFilter),
        ("sales_channel", RelatedDropdownFilter),
        ("region", RelatedDropdownFilter),
    )
    list_filter_submit = True
    search_fields = ("display_id",)
    search_help_text = "Number, whole e-mail, or id of the order, cart or customer"
    ordering = ("-created_at", "-id")
    list_per_page = 25
    show_full_result_count = False
    readonly_fields = ("worth", "state", "payment", "fulfillment", "ships_to", "bills_to", "paid_by", *_GOODS, *_MONEY)
    fieldsets = (
        (None, {"fields": ("email", "customer", "state", "payment", "fulfillment")}),
        (_PAYMENTS, {"fields": ("paid_by",)}),
        ("Addresses", {"fields": (("ships_to", "bills_to"),)}),
        ("Costs", {"fields": (*_GOODS, "worth", *_MONEY)}),
        (
            "Record",
            {
                "fields": (
                    *("region", "sales_channel", "locale", "metadata", "id", "cart_id", "version"),
                    *("canceled_at", "created_at", "updated_at", "deleted_at"),
                ),
                "classes": ("collapse",),
            },
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Order | None = None) -> Any:
        """Payments are links: they are hidden from users who may not open them."""
        is_open = may_open(request, PaymentCollection)
        return [each for each in super().get_fieldsets(request, obj) if is_open or each[0] != _PAYMENTS]

    def get_inlines(self, request: HttpRequest, obj: Order | None) -> list[type[ReadOnlyInline]]:
        """Tables that have rows."""
        return [inline for inline in self.inlines if inline.model._default_manager.filter(order=obj).exists()]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Order], search_term: str
    ) -> tuple[QuerySet[Order], bool]:
        """Each word searches the columns that it can stand in, which all have an index."""
        if not is_searchable(search_term):
            return queryset.none(), False
        for word in search_term.split():
            queryset = queryset.filter(_condition(word))
        return queryset, False

    @admin.display(description="Shipping address")
    def ships_to(self, row: Order) -> str:
        return _lines(row.shipping_address)

    @admin.display(description="Billing address")
    def bills_to(self, row: Order) -> str:
        return _lines(row.billing_address)

    @admin.display(description="Collections")
    def paid_by(self, row: Order) -> str | None:
        """Its payment collections."""
        collections = OrderPaymentCollection.objects.not_deleted().filter(order_id=row.pk).order_by("created_at", "pk")
        links = (row_link("payments_paymentcollection_change", each.pk, each.status) for each in collections)
        return format_html_join(" · ", "{}", ((link,) for link in links)) or None


def _condition(word: str) -> Q:
    number = word.removeprefix("#")
    if number.isascii() and number.isdecimal():
        return Q(display_id=int(number)) if int(number) <= _LARGEST_NUMBER else Q(pk__in=())
    if "@" in word:
        return Q(email__iexact=word)
    return Q(pk=word) | Q(cart_id=word) | Q(customer_id=word) | Q(custom_display_id=word)


def _lines(address: OrderAddress | None) -> str:
    if address is None:
        return ""
    texts = (
        f"{address.first_name or ''} {address.last_name or ''}".strip(),
        address.company,
        address.address_1,
        address.address_2,
        f"{address.postal_code or ''} {address.city or ''}".strip(),
        address.province,
        (address.country_code or "").upper(),
        address.phone,
    )
    return format_html_join("", "<div>{}</div>", ((text,) for text in texts if text))
