"""Admin tables of captures and refunds."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from commerce.kit.admin.amounts import shown
from commerce.kit.admin.read_only_inline import ReadOnlyInline
from commerce.staff.authors import author, with_author
from payments.admin.payment_admin import VIEW
from payments.models import Capture, Refund
from payments.models.payments import Movement


class MovementInline(ReadOnlyInline):
    """The columns that both tables share."""

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
