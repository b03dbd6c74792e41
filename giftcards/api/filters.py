"""The filters of gift cards and store credit."""

from typing import Any

from giftcards.codes import normalised
from giftcards.states import CardStatus, EntryType
from kit.query.conditions import Condition, Either, Is
from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet
from kit.reads.filters.filters import ChoiceFilter, CodeFilter, DateFilter, IdentifierFilter, TextFilter
from kit.reads.filters.id_filter import IdFilter


class GiftCardFilters(ResourceFilterSet):
    """None: the store does not list gift cards."""


class StoreCreditAccountFilters(RecordFilters):
    """Filters of store credit accounts."""

    currency_code = CodeFilter(field_name="currency_id")


class CardIdentifierFilter(IdentifierFilter):
    """Like IdentifierFilter, and also a whole code in any letter case."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        named = super().condition(raw, name=name)
        return Either((named, Is("code", normalised(raw))))


class AdminGiftCardFilters(RecordFilters):
    """Filters of gift cards, for staff."""

    q = CardIdentifierFilter(columns=("id", "customer_id", "reference_id"))
    customer_id = TextFilter(nullable=True)
    reference = TextFilter(nullable=True)
    reference_id = TextFilter(nullable=True)
    status = ChoiceFilter(choices=tuple(CardStatus.values))


class AdminStoreCreditAccountFilters(StoreCreditAccountFilters):
    """Filters of all store credit accounts, for staff."""

    q = IdentifierFilter(columns=("id", "customer_id", "gift_card_id"))
    customer_id = TextFilter(nullable=True)


class StoreCreditTransactionFilters(ResourceFilterSet):
    """Filters of entries, for staff."""

    id = IdFilter()
    account_id = TextFilter(field_name="account_id", through="group")
    type = ChoiceFilter(choices=tuple(EntryType.values))
    reference = TextFilter()
    reference_id = TextFilter()
    created_at = DateFilter()
