"""The invariant of the gift cards that were bought with orders; `manage.py verify_ledger` checks it.

Why: docs/decisions/gift-cards.md#a-card-costs-what-it-is-worth.
"""

from django.db.models import Aggregate, F, Max, Model, OuterRef, Q, QuerySet, Subquery, Sum

from giftcards.models import GiftCard
from kit.domain.invariants import Invariant
from orders.models import OrderLineItem


def _overvalued() -> QuerySet[Model]:
    """Lines whose cards are worth more than was paid for them, or one of them more than its unit price.

    The latter only without discounts, which an older version gave to cards: it shared out what was left, and the last
    card could get more.
    """
    lines: QuerySet[Model] = OrderLineItem.objects.filter(is_giftcard=True).annotate(
        number=F("order__display_id"), worth=_of_cards(Sum("value")), dearest=_of_cards(Max("value"))
    )
    too_dear = Q(dearest__gt=F("unit_price"), adjustments=None)
    return lines.filter(Q(worth__gt=F("placed_total")) | too_dear)


def _of_cards(figure: Aggregate) -> Subquery:
    cards = GiftCard.objects.filter(line_item_id=OuterRef("pk")).order_by().values("line_item_id")
    return Subquery(cards.annotate(figure=figure).values("figure"))


BOUGHT_CARD_INVARIANTS = (
    Invariant(
        _overvalued,
        "Line {id} of order {number} was bought for {placed_total}, {unit_price} each, but its gift cards are worth "
        "{worth}, the dearest {dearest}",
    ),
)
