"""The screens of payments: what providers have promised, taken and given back."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from commerce.kit.admin.confirmation import ask, is_confirmed
from commerce.kit.admin.read_only_inline import ReadOnlyInline
from commerce.kit.admin.request_actor import request_actor
from commerce.kit.admin.row_action import row_action
from commerce.kit.admin.verb_admin import Action
from payments.admin.money_columns import MoneyColumns
from payments.admin.movement_columns import MovementColumns
from payments.admin.movement_forms import CaptureForm, MovementForm, RefundForm
from payments.admin.payment_admin import VIEW, PaymentScreen, collection_address
from payments.admin.provider_actions import move
from payments.capturing import capture, left_to_capture
from payments.models import Capture, Payment, Refund
from payments.refunding import left_to_refund, refund

LEFT: Mapping[str, Callable[[Payment], Decimal]] = {"capture": left_to_capture, "refund": left_to_refund}
"""How much of a payment the button of that name can move."""


class CaptureInline(MovementColumns, ReadOnlyInline):
    """What was taken."""

    model = Capture
    permission = VIEW
    fields: ClassVar[Any] = ("worth", "author", "created_at")
    readonly_fields = fields
    ordering = ("-id",)
    verbose_name_plural = "Captures"


class RefundInline(MovementColumns, ReadOnlyInline):
    """What was given back."""

    model = Refund
    permission = VIEW
    fields: ClassVar[Any] = ("worth", "refund_reason", "note", "author", "created_at")
    readonly_fields = fields
    ordering = ("-id",)
    verbose_name_plural = "Refunds"


@admin.register(Payment)
class PaymentAdmin(MoneyColumns, PaymentScreen[Payment]):
    """Payments, the newest first."""

    icon = "payments"
    menu_rank = 1
    inlines = (CaptureInline, RefundInline)

    list_display = ("id", "provider", "authorized", "captured", "refunded", "created_at")
    list_filter = ("provider",)
    search_fields = ("=id", "=session__id", "=collection__id")
    search_help_text = "Id of the payment, of its session or of its collection"
    actions_detail = ("capture", "refund")
    readonly_fields = ("worth", "authorized", "captured", "refunded")
    fieldsets = (
        (None, {"fields": ("collection", "session", "provider", "worth", "authorized", "captured", "refunded")}),
        ("Record", {"fields": ("id", "captured_at", "canceled_at", "created_at", "updated_at")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Payment]:
        return super().get_queryset(request).select_related("session", "provider")

    def has_capture_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_act(request, "payments.add_capture")

    def has_refund_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_act(request, "payments.add_refund")

    def offers_action(self, request: HttpRequest, row: Payment, name: str) -> bool:
        """Offer an action only if there is an amount left for it."""
        return LEFT[name](row) > 0

    @row_action(description="Capture", icon="download")
    def capture(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.on_row(request, object_id, self._asking(CaptureForm, capture, "capture"))

    @row_action(description="Refund", icon="undo")
    def refund(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.on_row(request, object_id, self._asking(RefundForm, refund, "refund"))

    def _asking(self, form_class: type[MovementForm], verb: Callable[..., None], name: str) -> Action:
        """What serves the button: the form, and what it leads to."""

        def serve(request: HttpRequest, rows: QuerySet[Payment]) -> HttpResponse:
            payment = rows.get()
            given = request.POST if is_confirmed(request) else None
            form = form_class(given, left=LEFT[name](payment), currency_code=payment.currency_id)
            done = form.is_valid() and move(
                self,
                request,
                form,
                lambda **wanted: verb(actor=request_actor(request), payment_id=payment.pk, **wanted),
            )
            if done:
                return redirect(collection_address(payment.collection_id))
            nothing, question = Payment.objects.none(), f"{name.capitalize()} payment"
            note = f"{payment.provider_id}: {payment.pk}"
            return ask(
                self, request, nothing, action="", question=question, note=note, form=form, button=name.capitalize()
            )

        return serve
