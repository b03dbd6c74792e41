"""The sessions and payments of a collection, in tables with their actions."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.row_link import row_link
from kit.admin.request_actor import request_actor
from payments.admin.money_columns import MoneyColumns
from payments.admin.payment_admin import VIEW
from payments.admin.payments import AVAILABLE
from payments.admin.sessions import is_authorizable
from payments.models import Payment, PaymentSession
from shop.provider_name import provider_name

NOTHING = "\N{NO-BREAK SPACE}"
"""An empty cell; for an empty text Django writes a dash."""


class SessionInline(MoneyColumns, ReadOnlyInline):
    """Sessions, including canceled ones."""

    model = PaymentSession
    permission = VIEW
    fields = readonly_fields = ("session", "state", "worth", "authorized_at", "created_at", "acts")
    ordering = ("-id",)
    per_page = 20
    verbose_name_plural = "Sessions"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PaymentSession]:
        self.may_authorize = request_actor(request).may("payments.change_paymentsession")
        rows: QuerySet[PaymentSession] = super().get_queryset(request)
        return rows

    @admin.display(description="Session")
    def session(self, row: PaymentSession) -> str:
        return row_link("payments_paymentsession_change", row.pk, provider_name(row.provider_id))

    @admin.display(description="")
    def acts(self, row: PaymentSession) -> str:
        is_offered = self.may_authorize and is_authorizable(row)
        return row_link("payments_paymentsession_authorize", row.pk, "Authorize") if is_offered else NOTHING


class PaymentInline(MoneyColumns, ReadOnlyInline):
    """Payments."""

    model = Payment
    permission = VIEW
    fields = readonly_fields = ("payment", "authorized", "captured", "refunded", "canceled_at", "acts")
    ordering = ("-id",)
    verbose_name_plural = "Payments"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Payment]:
        may = request_actor(request).may
        self.allowed = [name for name in AVAILABLE if may(f"payments.add_{name}")]
        rows: QuerySet[Payment] = super().get_queryset(request)
        return rows.select_related("session")

    @admin.display(description="Payment")
    def payment(self, row: Payment) -> str:
        return row_link("payments_payment_change", row.pk, provider_name(row.provider_id))

    @admin.display(description="")
    def acts(self, row: Payment) -> str:
        links = [
            row_link(f"payments_payment_{name}", row.pk, name.capitalize())
            for name in self.allowed
            if AVAILABLE[name](row)
        ]
        return format_html_join(" · ", "{}", ((one,) for one in links)) or NOTHING
