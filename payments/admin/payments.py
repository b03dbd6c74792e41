"""The admin screens of payments: authorized, captured and refunded money."""

from collections.abc import Callable, Mapping
from decimal import Decimal

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kit.admin.actions.bulk_action import ScreenAction, row_button
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.base_admin import BaseAdmin
from kit.admin.forms.record_section import record_section
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.amounts import shown
from payments.admin.money_columns import MoneyColumns
from payments.admin.movement_forms import CaptureForm, MovementForm, RefundForm
from payments.admin.paid_by import PAID_BY
from payments.admin.payment_admin import VIEW, PaymentScreen, collection_address
from payments.admin.provider_actions import move
from payments.models import Capture, Payment, Refund
from payments.models.payments import Movement
from payments.movements.capturing import capturable_amount
from payments.movements.refunding import refundable_amount
from staff.authors import author, with_author

AVAILABLE: Mapping[str, Callable[[Payment], Decimal]] = {"capture": capturable_amount, "refund": refundable_amount}
"""The amount of a payment that each button can move."""


class MovementInline(ReadOnlyInline):
    """What the tables of captures and refunds share."""

    permission = VIEW
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Movement]:
        return with_author(super().get_queryset(request)).select_related("payment")

    @admin.display(description="Amount")
    def worth(self, row: Capture | Refund) -> str:
        return shown(row.amount, row.payment.currency_id)

    @admin.display(description="By")
    def author(self, row: Capture | Refund) -> str:
        return author(row)


class CaptureInline(MovementInline):
    """Captures."""

    model = Capture
    fields = readonly_fields = ("worth", "author", "created_at")
    verbose_name_plural = "Captures"


class RefundInline(MovementInline):
    """Refunds."""

    model = Refund
    fields = readonly_fields = ("worth", "refund_reason", "note", "author", "created_at")
    verbose_name_plural = "Refunds"


def _moving(form_class: type[MovementForm], name: str) -> ScreenAction:
    """A view that shows the form and carries it out."""

    def serve(screen: BaseAdmin[Payment], request: HttpRequest, rows: QuerySet[Payment]) -> HttpResponse:
        payment = rows.get()
        given = request.POST if is_confirmed(request) else None
        form = form_class(given, payment=payment, left=AVAILABLE[name](payment))
        if form.is_valid() and form.is_confirmed() and move(screen, request, form):
            return redirect(collection_address(payment.collection_id))
        nothing, question = Payment.objects.none(), f"{form.button} payment"
        note = f"{payment.provider}, paid by {PAID_BY.payer(payment)}"
        return ask(screen, request, nothing, action="", question=question, note=note, form=form, button=form.button)

    return serve


@admin.register(Payment)
class PaymentAdmin(PaymentScreen[Payment]):
    """Payments, newest first."""

    icon = "payments"
    nothing_yet = "Payments appear here once customers have paid."
    made_on = "orders.order"
    columns = (MoneyColumns(), PAID_BY)
    menu_rank = 1
    inlines = (CaptureInline, RefundInline)

    list_display = ("payer", "order", "provider", "authorized", "captured", "refunded", "created_at")
    list_filter = ("provider",)
    search_fields = ("=id", "=session__id", "=collection__id")
    search_help_text = "Number of the order, email of the cart, or id of the payment, its session or its collection"
    actions_detail = ("capture", "refund")
    readonly_fields = ("order", "customer", "worth", "authorized", "captured", "refunded")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "order",
                    "customer",
                    "collection",
                    "session",
                    "provider",
                    "worth",
                    "authorized",
                    "captured",
                    "refunded",
                )
            },
        ),
        record_section("id", "captured_at", "canceled_at", "created_at", "updated_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Payment]:
        return super().get_queryset(request).select_related("session", "provider", "collection__cart")

    def has_capture_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_act(request, "payments.add_capture")

    def has_refund_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_act(request, "payments.add_refund")

    def offers_action(self, request: HttpRequest, row: Payment, name: str) -> bool:
        """Offer an action only if an amount remains for it."""
        return AVAILABLE[name](row) > 0

    capture = row_button("capture", _moving(CaptureForm, "capture"), description="Capture", icon="download")
    refund = row_button("refund", _moving(RefundForm, "refund"), description="Refund", icon="undo")
