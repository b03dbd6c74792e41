"""The screens of attempts to complete carts."""

from django.contrib import admin

from commerce.kit.admin.amounts import amount_cell
from commerce.kit.admin.label_column import label_column
from commerce.kit.admin.read_only_admin import ReadOnlyAdmin
from commerce.kit.admin.sections import Section
from orders.models import CompletionAttempt


@admin.register(CompletionAttempt)
class CompletionAttemptAdmin(ReadOnlyAdmin[CompletionAttempt]):
    """Attempts to complete carts, the newest first. An open one waits for its payment provider."""

    section = Section.ORDERS
    icon = "hourglass_top"
    menu_rank = 1
    unreadable = frozenset({"idempotency_digest"})

    list_display = ("cart_id", "state", "amount", "order", "created_at", "ended_at", "error")
    list_filter = ("status",)
    list_select_related = ("order",)
    search_fields = ("=id", "=cart_id", "=session_id", "=order__id")
    search_help_text = "Id of the attempt, cart, payment session or order"
    ordering = ("-created_at", "-id")
    list_per_page = 25
    readonly_fields = ("state", "amount")
    fieldsets = (
        (None, {"fields": ("state", "cart_id", "order", "amount", "error")}),
        ("Record", {"fields": ("id", "session_id", "created_at", "ended_at"), "classes": ("collapse",)}),
    )

    @label_column(description="Status", colours={"open": "warning", "completed": "success"})
    def state(self, row: CompletionAttempt) -> str:
        return row.status

    @admin.display(description="To pay", ordering="total")
    def amount(self, row: CompletionAttempt) -> str:
        return amount_cell(row.total, row.currency_id)
