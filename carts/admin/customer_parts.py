"""The carts that a customer has left, on the customer's screen."""

from collections.abc import Iterator

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from carts.models import Cart, LineItem
from commerce.kit.admin.amounts import shown
from commerce.kit.admin.read_only_inline import ReadOnlyInline
from commerce.kit.admin.request_actor import request_actor
from commerce.kit.admin.row_link import row_link
from commerce.kit.admin.timeline import Happening, stamp
from customers.admin.customers import CustomerAdmin
from customers.admin.timeline import MOST, timeline_source

VIEW = "carts.view_cart"


def left_carts(rows: "QuerySet[Cart]") -> "QuerySet[Cart]":
    """Those with items that did not become an order, with the number of their lines."""
    lines = LineItem.objects.not_deleted().filter(cart=OuterRef("pk")).order_by().values("cart")
    counted = rows.annotate(line_count=Coalesce(Subquery(lines.values(count=Count("pk"))), 0))
    return counted.filter(completed_at=None, deleted_at=None, line_count__gt=0)


class LeftCartInline(ReadOnlyInline):
    """Carts with items that did not become an order."""

    model = Cart
    permission = VIEW
    fields = readonly_fields = ("cart", "worth", "changed")
    ordering = ("-updated_at", "-id")
    per_page = 10
    verbose_name_plural = "Carts left"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Cart]:
        return left_carts(super().get_queryset(request))

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
def _carts_of_customer(request: HttpRequest, customer_id: str) -> Iterator[Happening]:
    if request_actor(request).may(VIEW):
        rows = left_carts(Cart.objects.filter(customer=customer_id)).order_by("-updated_at", "-pk")
        for cart in rows[:MOST]:
            yield Happening(cart.updated_at, f"Cart left: {_size(cart)}, {shown(cart.total, cart.currency_id)}")


def _size(cart: Cart) -> str:
    """`1 line`. cart: of left_carts."""
    count: int = cart.line_count  # type: ignore[attr-defined]  # annotated
    return f"{count} {'line' if count == 1 else 'lines'}"


CustomerAdmin.enter_inline(LeftCartInline)
