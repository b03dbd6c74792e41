"""Gift card and store credit resources, for every transport."""

from dataclasses import replace

from giftcards.api.filters import (
    AdminGiftCardFilters,
    AdminStoreCreditAccountFilters,
    GiftCardFilters,
    StoreCreditAccountFilters,
    StoreCreditTransactionFilters,
)
from giftcards.api.serializers import (
    AdminGiftCardSerializer,
    AdminStoreCreditAccountSerializer,
    GiftCardSerializer,
    StoreCreditAccountSerializer,
    StoreCreditTransactionSerializer,
)
from giftcards.cards.cards import column_and_value
from giftcards.errors import GiftCardNotFound
from giftcards.models.cards import FOUND_BY_ID
from kit.domain.actor import Actor
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery, read_one
from kit.reads.resources import Resource
from kit.values.text import is_storable


class GiftCardResource(Resource):
    """A gift card can also be read by its code."""

    @property
    def known_by(self) -> str:
        return "id_or_code"

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """Raises GiftCardNotFound, also for another customer's pending card, and the id of one that needs its code."""
        column, value = column_and_value(id)
        if column == "id" and not actor.may("giftcards.view_giftcard"):
            query = replace(query, condition=FOUND_BY_ID)
        found = read_one(self.serializer_class, value, query, actor, by=column) if is_storable(value) else None
        if found is None:
            raise GiftCardNotFound(id)
        return found


GIFT_CARDS = GiftCardResource(
    name="gift_card",
    plural="gift_cards",
    serializer_class=GiftCardSerializer,
    filterset_class=GiftCardFilters,
    default_limit=15,
)
REDEEMED_GIFT_CARDS = replace(GIFT_CARDS, defaults="*customer,*line_item")
"""Gift cards in the response to their redemption, with their customer and line item."""
STORE_CREDIT_ACCOUNTS = Resource(
    name="store_credit_account",
    plural="store_credit_accounts",
    serializer_class=StoreCreditAccountSerializer,
    filterset_class=StoreCreditAccountFilters,
    default_limit=15,
    defaults="*customer",
    adds_up=True,
)
ADMIN_GIFT_CARDS = Resource(
    name="gift_card",
    plural="gift_cards",
    serializer_class=AdminGiftCardSerializer,
    filterset_class=AdminGiftCardFilters,
    default_limit=15,
    defaults="*customer",
)
ADMIN_STORE_CREDIT_ACCOUNTS = replace(
    STORE_CREDIT_ACCOUNTS,
    serializer_class=AdminStoreCreditAccountSerializer,
    filterset_class=AdminStoreCreditAccountFilters,
)
STORE_CREDIT_TRANSACTIONS = Resource(
    name="transaction",
    plural="transactions",
    serializer_class=StoreCreditTransactionSerializer,
    filterset_class=StoreCreditTransactionFilters,
    default_limit=15,
    default_order="-created_at",
)
