"""The screens of orders. They are read-only: an order changes by its verbs."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.contrib.filters.admin import RelatedDropdownFilter

from kit.admin.forms.days_filter import DaysFilter
from kit.admin.lists.amounts import shown
from kit.admin.lists.word_search import is_sorted
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from orders.admin.action_urls import ACTION_URLS
from orders.admin.bulk.actions import BULK_URL, with_bulk_actions
from orders.admin.bulk.shipping import SHIP
from orders.admin.buyers import BuyerFilter
from orders.admin.columns import OrderColumns, name_of
from orders.admin.drafts.screen import DRAFTS
from orders.admin.erasure import ERASE_GUEST
from orders.admin.exporting.exports import DOWNLOAD_URL, EXPORT
from orders.admin.invoices.printing import print_selected
from orders.admin.order_list import OrderList, found_orders, numbered_first
from orders.admin.order_page.context import page_context
from orders.admin.overview.accounts_page import ACCOUNTS_URL
from orders.admin.overview.invoices import WRITE_URL
from orders.admin.overview.sales_page import SALES_URL
from orders.admin.printing.views import PRINT_URLS
from orders.admin.to_do import ToDoFilter
from orders.models import Invoice, Order


@admin.register(Order)
@with_bulk_actions
class OrderAdmin(ReadOnlyAdmin[Order]):
    """Orders, the newest first, and the page of each."""

    section = Section.ORDERS
    daily = "view"
    icon = "orders"
    nothing_yet = "Orders appear here once customers place them at a storefront, which needs a publishable key."
    made_on = "apikeys.apikey"
    columns = (OrderColumns(),)
    change_list = OrderList
    buttons, list_buttons = (ERASE_GUEST,), (DRAFTS, SHIP, EXPORT)
    actions = ("print_documents",)
    custom_urls = (DOWNLOAD_URL, SALES_URL, ACCOUNTS_URL, WRITE_URL, BULK_URL, *ACTION_URLS, *PRINT_URLS)
    is_in_palette = True

    list_display = (
        *("number", "customer_name", "placed", "channel", "items", "order_total"),
        *("state", "payment", "fulfillment", "to_do"),
    )
    list_filter = (
        ToDoFilter,
        "status",
        "payment_status",
        "fulfillment_status",
        ("created_at", DaysFilter),
        ("sales_channel", RelatedDropdownFilter),
        ("region", RelatedDropdownFilter),
        BuyerFilter,
    )
    list_filter_submit = True
    list_select_related = ("customer", "shipping_address", "billing_address")
    search_fields = ("display_id",)
    search_help_text = (
        "Number, email, name, company, address, phone, item, SKU, tracking number, or id of the order, cart or customer"
    )
    list_per_page = 25
    fields = ()

    class Media:
        css = {"all": ("orders/order_list.css",)}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Order]:
        rows: QuerySet[Order] = super().get_queryset(request)
        return rows.select_related(*self.list_select_related, "region", "sales_channel")

    def search(self, request: HttpRequest, queryset: QuerySet[Order], search_term: str) -> tuple[QuerySet[Order], bool]:
        """Search like `q` of `GET /admin/orders`, and by number and ids. The order with the number comes first."""
        found = found_orders(queryset, search_term)
        return (found if is_sorted(request) else numbered_first(found, search_term)), False

    @admin.action(description="Print their invoices and credit notes", permissions=["print_documents"])
    def print_documents(self, request: HttpRequest, rows: QuerySet[Order]) -> HttpResponse | None:
        ordered = Invoice.objects.filter(order__in=rows.order_by().values("pk")).order_by("issued_at", "pk")
        return print_selected(self, request, ordered)

    def has_print_documents_permission(self, request: HttpRequest) -> bool:
        return request_actor(request).may("orders.view_invoice")

    def details(self, rows: Iterable[Order]) -> dict[str, tuple[str, ...]]:
        return {row.pk: (name_of(row), shown(row.total, row.currency_id)) for row in rows}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Order, **options: Any
    ) -> Any:
        return super().render_change_form(request, {**context, **page_context(request, obj)}, *args, obj=obj, **options)
