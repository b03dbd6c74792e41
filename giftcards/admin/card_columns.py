"""Admin columns of gift cards, which never show a whole code."""

from django.contrib import admin
from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from giftcards.codes import masked
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.admin.lists.amounts import shown
from kit.admin.lists.label_column import label_column
from kit.values.timestamps import now


def has_expired() -> Q:
    """Expired cards that are still pending."""
    return Q(status=CardStatus.PENDING, expires_at__isnull=False, expires_at__lte=now())


class CardColumns:
    """For the screen and the tables of gift cards."""

    @admin.display(description="Code")
    def masked_code(self, row: GiftCard) -> str:
        return masked(row.code)

    @admin.display(description="Value", ordering="value")
    def worth(self, row: GiftCard) -> str:
        return shown(row.value, row.currency_id)

    @label_column(description="Status", colours={"pending": "info", "redeemed": "success", "canceled": "danger"})
    def state(self, row: GiftCard) -> str:
        return row.status

    @label_column(description="Expired", colours={"expired": "warning"})
    def expiry(self, row: GiftCard) -> str:
        """Shown for pending cards only."""
        is_over = row.expires_at is not None and row.expires_at <= now()
        return "expired" if is_over and row.status == CardStatus.PENDING else ""


class ExpiryFilter(SimpleListFilter):
    """Expired cards, or all others."""

    title = "expired"
    parameter_name = "expired"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin[GiftCard]) -> list[tuple[str, str]]:
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[GiftCard]) -> QuerySet[GiftCard]:
        if self.value() == "yes":
            return queryset.filter(has_expired())
        return queryset.exclude(has_expired()) if self.value() == "no" else queryset
