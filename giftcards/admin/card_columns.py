"""Admin columns of gift cards, which never show a whole code."""

from collections.abc import Mapping

from django.contrib import admin
from django.db.models import Q

from giftcards.codes import masked
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.admin.lists.amounts import shown
from kit.admin.lists.condition_filter import ConditionFilter
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


class ExpiryFilter(ConditionFilter):
    """Expired cards, or all others."""

    title = parameter_name = "expired"

    def conditions(self) -> Mapping[str, Q]:
        return {"yes": has_expired(), "no": ~has_expired()}
