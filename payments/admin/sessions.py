"""The admin screens of payment sessions."""

from functools import partial

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kit.admin.actions.bulk_action import row_button
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.forms.record_section import record_section
from kit.admin.lists.amounts import shown
from kit.admin.request_actor import request_actor
from payments.admin.money_columns import MoneyColumns
from payments.admin.paid_by import PAID_BY
from payments.admin.payment_admin import PaymentScreen, collection_address
from payments.admin.provider_actions import authorize
from payments.models import PaymentSession
from payments.sessions.authorization import authorize as have_authorized
from payments.states import SESSIONS, SessionStatus


def is_authorizable(session: PaymentSession) -> bool:
    """Whether the session can be authorized."""
    return session.deleted_at is None and SessionStatus.AUTHORIZED in SESSIONS.allowed[session.status]


@admin.register(PaymentSession)
class PaymentSessionAdmin(PaymentScreen[PaymentSession]):
    """Sessions, newest first, including canceled ones."""

    icon = "hourglass_top"
    nothing_yet = "A session appears here whenever a customer begins to pay."
    made_on = "payments.paymentcollection"
    columns = (MoneyColumns(), PAID_BY)
    menu_rank = 2

    list_display = ("payer", "order", "provider", "state", "worth", "authorized_at", "created_at")
    list_filter = ("status", "provider")
    list_select_related = ("collection__cart", "provider")
    search_fields = ("=id", "=collection__id")
    search_help_text = "Number of the order, email of the cart, or id of the session or its collection"
    actions_detail = ("authorize",)
    readonly_fields = ("order", "customer", "state", "worth")
    fieldsets = (
        (None, {"fields": ("order", "customer", "collection", "provider", "state", "worth")}),
        record_section("id", "authorized_at", "created_at", "updated_at", "deleted_at"),
    )

    def has_authorize_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_act(request, "payments.change_paymentsession")

    def offers_actions(self, request: HttpRequest, row: PaymentSession) -> bool:
        return is_authorizable(row)

    def _authorize(self, request: HttpRequest, rows: QuerySet[PaymentSession]) -> HttpResponse:
        session = rows.get()
        if not is_confirmed(request):
            question = f"Authorize {shown(session.amount, session.currency_id)} with {session.provider}?"
            return ask(self, request, rows, action="", question=question)
        authorize(self, request, session, partial(have_authorized, actor=request_actor(request), session_id=session.pk))
        return redirect(collection_address(session.collection_id))

    authorize = row_button("authorize", _authorize, description="Authorize", icon="verified")
