"""A customer's unfinished carts, on the customer's page."""

from collections.abc import Iterator

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from carts.models import Cart, LineItem
from customers.admin.customers import CustomerAdmin
from customers.admin.timeline import MOST, timeline_source
from kit.admin.history.timeline import TimelineEvent, stamp
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.amounts import shown
from kit.admin.lists.row_link import row_link
from kit.admin.request_actor import request_actor

VIEW = "carts.view_cart"


def unfinished_carts(rows: "QuerySet[Cart]") -> "QuerySet[Cart]":
    """Carts with items that did not become an order, annotated with their number of lines."""
    lines = LineItem.objects.not_deleted().filter(cart=OuterRef("pk")).order_by().values("cart")
    counted = rows.annotate(line_count=Coalesce(Subquery(lines.values(count=Count("pk"))), 0))
    return counted.filter(is_draft=False, completed_at=None, deleted_at=None, line_count__gt=0)


class UnfinishedCartInline(ReadOnlyInline):
    """Carts with items that did not become an order."""

    model = Cart
    permission = VIEW
    fields = readonly_fields = ("cart", "worth", "changed")
    ordering = ("-updated_at", "-id")
    per_page = 10
    verbose_name_plural = "Unfinished carts"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Cart]:
        return unfinished_carts(super().get_queryset(request))

    @admin.display(description="Cart")
    def cart(self, row: Cart) -> str:
        return row_link("carts_cart_change", row.pk, _size(row))

    @admin.display(description="Total")
    def worth(self, row: Cart) -> str:
        return shown(row.total, row.currency_id)

    @admin.display(description="Changed")
    def changed(self, row: Cart) -> str:
        return stamp(row.updated_at)


@timeline_source
def _carts_of_customer(request: HttpRequest, customer_id: str) -> Iterator[TimelineEvent]:
    if request_actor(request).may(VIEW):
        rows = unfinished_carts(Cart.objects.filter(customer=customer_id)).order_by("-updated_at", "-pk")
        for cart in rows[:MOST]:
            yield TimelineEvent(
                cart.updated_at, f"Unfinished cart: {_size(cart)}, {shown(cart.total, cart.currency_id)}"
            )


def _size(cart: Cart) -> str:
    """`1 line`. cart: from unfinished_carts."""
    count: int = cart.line_count  # type: ignore[attr-defined]  # annotated
    return f"{count} {'line' if count == 1 else 'lines'}"


CustomerAdmin.enter_inline(UnfinishedCartInline)
