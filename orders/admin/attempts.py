"""The screens of attempts to complete carts."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from carts.admin.cart_links import cart_links
from kit.admin.forms.record_section import record_section
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.label_column import label_column
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from orders.models import CompletionAttempt


@admin.register(CompletionAttempt)
class CompletionAttemptAdmin(ReadOnlyAdmin[CompletionAttempt]):
    """Attempts to complete carts, the newest first. An open one waits for its payment provider.

    The ids of carts, which open them for shoppers, are not shown.
    """

    section = Section.ORDERS
    icon = "hourglass_top"
    nothing_yet = "An attempt appears here whenever a shopper completes a cart."
    made_on = "orders.order"
    menu_rank = 1
    unreadable = frozenset({"idempotency_digest"})

    list_display = ("created_at", "cart", "state", "amount", "order", "ended_at", "error")
    list_filter = ("status",)
    list_select_related = ("order",)
    search_fields = ("=id", "=cart_id", "=session_id", "=order__id")
    search_help_text = "Id of the attempt, cart, payment session or order"
    list_per_page = 25
    readonly_fields = ("cart", "state", "amount")
    fieldsets = (
        (None, {"fields": ("state", "cart", "order", "amount", "error")}),
        record_section("id", "session_id", "created_at", "ended_at"),
    )

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """The carts. One statement."""
        links = cart_links(request, [row.cart_id for row in rows])
        for row in rows:
            row.cart_link = links.get(row.cart_id, "A deleted cart")

    @admin.display(description="Cart")
    def cart(self, row: Any) -> str:
        return str(row.cart_link)

    @label_column(description="Status", colours={"open": "warning", "completed": "success"})
    def state(self, row: CompletionAttempt) -> str:
        return row.status

    @admin.display(description="To pay", ordering="total")
    def amount(self, row: CompletionAttempt) -> str:
        return amount_cell(row.total, row.currency_id)
