"""The gift cards that were bought with an order, whose price cannot be refunded while they can be spent.

Why: docs/decisions/refunds.md#bought-gift-cards-are-refunded-last.
"""

from decimal import Decimal

from django.db.models import Sum

from giftcards.cards.cancellation import cancel_bought_cards
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.values.money import stored
from orders.models import OrderLineItem


def bought_value(order_id: str) -> int:
    """What the cards that are not canceled are worth, in 1/10,000. One statement."""
    lines = OrderLineItem.objects.filter(order=order_id, is_giftcard=True).values("pk")
    cards = GiftCard.objects.not_deleted().filter(line_item_id__in=lines).exclude(status=CardStatus.CANCELED)
    return stored(cards.aggregate(sum=Sum("value"))["sum"] or Decimal(0))


def cancel_cards_of(order_id: str) -> None:
    """Cancel the cards. Raises BoughtCardRedeemed, GiftCardHeld."""
    lines = OrderLineItem.objects.filter(order=order_id, is_giftcard=True)
    cancel_bought_cards(list(lines.values_list("pk", flat=True)))
