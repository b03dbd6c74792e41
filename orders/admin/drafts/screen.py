"""The list of draft orders, and the page of each, which is its form."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from carts.models import LineItem
from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button
from kit.admin.history.timeline import stamp
from kit.admin.lists.amounts import amount_cell
from kit.admin.request_actor import may_all, request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.values.text import is_storable, whole_number
from orders.admin.drafts.page import draft_page, redirect_to_order
from orders.drafts import creation
from orders.drafts.locked_draft import MANAGING
from orders.models import DraftOrder, Order
from staff.authors import author_names


class DraftColumns:
    """The number, customer, items, total, author and time of a draft."""

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """Read who has created them. One statement."""
        names = author_names(row.created_by for row in rows)
        for row in rows:
            row.author = names(row.created_by)

    @admin.display(description="Number", ordering="draft_number")
    def number(self, row: DraftOrder) -> str:
        return str(row)

    @admin.display(description="Customer", ordering="email")
    def buyer(self, row: DraftOrder) -> str:
        return row.email or (str(row.customer) if row.customer else "")

    @admin.display(description="Items")
    def items(self, row: Any) -> str:
        return str(row.units or 0)

    @admin.display(description="Total", ordering="total")
    def draft_total(self, row: DraftOrder) -> str:
        return amount_cell(row.total, row.currency_id)

    @admin.display(description="Created by")
    def by(self, row: Any) -> str:
        return row.author or "A program"

    @admin.display(description="Created", ordering="created_at")
    def created(self, row: DraftOrder) -> str:
        return stamp(row.created_at)


@admin.register(DraftOrder)
class DraftAdmin(VerbAdmin[DraftOrder]):
    """Draft orders, the newest first, and the form of each."""

    section = Section.ORDERS
    menu_rank = 1
    daily = "view"
    icon = "edit_note"
    nothing_yet = "Draft orders are orders that you prepare, such as on the phone."
    shows_deleted = False
    columns = (DraftColumns(),)

    list_display = ("number", "buyer", "items", "draft_total", "by", "created")
    list_select_related = ("customer",)
    search_fields = ("email", "customer__email", "customer__first_name", "customer__last_name")
    search_help_text = "Number, email, name of the customer"
    list_per_page = 25

    def get_queryset(self, request: HttpRequest) -> QuerySet[DraftOrder]:
        lines = LineItem.objects.not_deleted().filter(cart=OuterRef("pk")).order_by().values("cart")
        units = Subquery(lines.annotate(units=Sum("quantity")).values("units"))
        return super().get_queryset(request).annotate(units=units)

    def search(
        self, request: HttpRequest, queryset: QuerySet[DraftOrder], search_term: str
    ) -> tuple[QuerySet[DraftOrder], bool]:
        """By words, and by the number: `D-12`, or `12`."""
        number = whole_number(search_term.strip().upper().removeprefix("D-"))
        if number is not None:
            return queryset.filter(draft_number=number), False
        return super().search(request, queryset, search_term)

    def add_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """The page of a new draft."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return draft_page(self, request, None)

    def change_view(self, request: HttpRequest, object_id: str, *args: object, **kwargs: object) -> HttpResponse:
        """The page of a draft. That of one that has become an order leads there."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        draft = self.get_object(request, unquote(object_id))
        if draft is not None:
            return draft_page(self, request, draft)
        became = redirect_to_order(request, unquote(object_id)) if is_storable(unquote(object_id)) else None
        return became or self.gone(request, object_id)

    def delete(self, *, actor: Actor, row: DraftOrder) -> None:
        creation.delete(actor=actor, draft_id=row.pk)

    def has_view_permission(self, request: HttpRequest, obj: DraftOrder | None = None) -> bool:
        """Whoever may manage drafts may do everything here."""
        return request_actor(request).may(MANAGING)

    has_module_permission = has_add_permission = has_view_permission
    has_change_permission = has_delete_permission = has_view_permission


@row_action(description="Draft orders", icon="edit_note")
def drafts(screen: BaseAdmin[Order], request: HttpRequest) -> HttpResponse:
    """Their list."""
    return redirect("admin:orders_draftorder_changelist")


DRAFTS = Button(drafts, may_all(MANAGING))
"""The button above the list of orders."""
