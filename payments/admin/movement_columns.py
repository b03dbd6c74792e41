"""What tables show of money that has moved."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from commerce.kit.admin.amounts import shown
from commerce.staff.authors import author, with_author


class MovementColumns:
    """For tables of captures and refunds."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        return with_author(rows).select_related("payment")

    @admin.display(description="Amount")
    def worth(self, row: Any) -> str:
        return shown(row.amount, row.payment.currency_id)

    @admin.display(description="By")
    def author(self, row: Any) -> str:
        return author(row)
