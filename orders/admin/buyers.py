"""The list of everyone who has ordered, with links to their orders."""

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import SEARCH_VAR
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.decorators import display

from customers.models import Customer
from kit.admin.history.timeline import stamp
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.condition_filter import ConditionFilter
from kit.admin.lists.row_link import opening_link, row_link
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from orders.admin.order_list import found_orders
from orders.models import Buyer, Order
from orders.reports.buyers import bought_by, count_buyers, last_of_buyers, last_orders, of_buyer

MOST_NAMES = 3
MOST_FOUND = 1000
_ACCOUNT, _GUEST, _SAME_EMAIL = "Account", "Guest", "Email of an account"


class BuyerColumns:
    """Names, email, kind, orders and totals, of which the list shows the last order."""

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """Read what each buyer ordered, and which guests have the email address of an account. Two statements."""
        bought, taken = bought_by(rows), _of_accounts([row.email for row in rows if row.customer is None])
        for row in rows:
            row.request, row.bought, row.is_taken = request, bought[row.pk], row.email in taken

    @admin.display(description="Buyer")
    def names(self, row: Any) -> str:
        own = _name(row.customer)
        names = list(dict.fromkeys([own, *row.bought.names] if own else row.bought.names))
        shown = ", ".join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")
        return shown or row.email or "No name"

    @admin.display(description="Email")
    def buyer_email(self, row: Any) -> str:
        return row.email if row.customer is None else opening_link(row.request, row.customer, closed=row.customer.email)

    @display(description="Kind", label=True)  # type: ignore[untyped-decorator]
    def kind(self, row: Any) -> list[str]:
        if row.customer is not None and row.customer.has_account:
            return [_ACCOUNT]
        return [_GUEST, _SAME_EMAIL] if row.is_taken else [_GUEST]

    @admin.display(description="Orders")
    def orders(self, row: Any) -> str:
        return str(row.bought.orders)

    @admin.display(description="Total")
    def totals(self, row: Any) -> str:
        lines = ((amount_cell(total, currency),) for currency, total in sorted(row.bought.totals.items()))
        return format_html_join("", "<div>{}</div>", lines)

    @admin.display(description="Last order", ordering="created_at")
    def last_order(self, row: Any) -> str:
        return format_html("{} {}", row_link("orders_order_change", row.pk, str(row)), stamp(row.created_at))


class KindFilter(ConditionFilter):
    """Customers, or guests."""

    title = parameter_name = "kind"

    def conditions(self) -> Mapping[str, Q]:
        return {"customers": Q(customer__isnull=False), "guests": Q(customer__isnull=True)}


class BuyerFilter(SimpleListFilter):
    """On the list of orders: those of the buyer of one order, whose id is the value."""

    title = "buyer"
    parameter_name = "buyer"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """Offered only where it is chosen."""
        value = self.value()
        self._order = Order.objects.with_id(value) if value else None
        return [(value, str(self._order.email or self._order) if self._order else "Nobody")] if value else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Order]) -> QuerySet[Order]:
        return queryset.none() if self._order is None else queryset.filter(of_buyer(self._order))


@admin.register(Buyer)
class BuyerAdmin(ReadOnlyAdmin[Buyer]):
    """Everyone who has ordered, the latest first."""

    section = Section.CUSTOMERS
    daily = "view"
    icon = "group"
    nothing_yet = "Everyone who has ordered appears here, guests and customers with an account."
    made_on = "orders.order"
    columns = (BuyerColumns(),)

    list_display = ("names", "buyer_email", "kind", "orders", "totals", "last_order")
    list_filter = (KindFilter,)
    list_select_related = ("customer",)
    search_fields = ("email",)
    search_help_text = "What is found in one of their orders: email, name, address, phone, item, order number"
    list_per_page = 25

    class Media:
        css = {"all": ("orders/order_list.css",)}

    def has_view_permission(self, request: HttpRequest, obj: Buyer | None = None) -> bool:
        return request_actor(request).may("orders.view_order")

    def get_paginator(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """All buyers are counted by indexes: to find the last order of each takes longer."""
        pages = super().get_paginator(request, *args, **kwargs)
        if not request.GET.get(SEARCH_VAR, "").strip():
            kind = request.GET.get(KindFilter.parameter_name)
            pages.count = count_buyers(guests=kind != "customers", customers=kind != "guests")
        return pages

    def search(self, request: HttpRequest, queryset: QuerySet[Buyer], search_term: str) -> tuple[QuerySet[Buyer], bool]:
        """The last order of every buyer, or of those of the orders that are found, the latest of many."""
        if not search_term.strip():
            return last_orders(queryset), False
        found = found_orders(Order.objects.all(), search_term).order_by("-created_at", "-pk")
        keys = list(found.values_list("pk", flat=True)[: MOST_FOUND + 1])
        if len(keys) > MOST_FOUND:
            messages.info(request, f"More than {MOST_FOUND:,} orders were found. The buyers of the latest are listed.")
        theirs = last_of_buyers(Order.objects.filter(pk__in=keys[:MOST_FOUND]))
        return queryset.filter(pk__in=theirs), False

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """A buyer has no page but the list of their orders."""
        if request.method == "POST" or not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            return self.gone(request, object_id)
        return redirect(f"{reverse('admin:orders_order_changelist')}?{BuyerFilter.parameter_name}={row.pk}")


def _of_accounts(emails: Collection[str | None]) -> set[str]:
    accounts = Customer.objects.not_deleted().filter(email__in=emails, has_account=True)
    return set(accounts.values_list("email", flat=True))


def _name(customer: Customer | None) -> str:
    return " ".join(filter(None, (customer.first_name, customer.last_name))) if customer else ""
