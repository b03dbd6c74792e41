"""Issuing the gift cards that were bought with an order."""

from decimal import Decimal

from django.db.models import QuerySet

from giftcards.cards.issuing import Terms, issue_for_line
from giftcards.models import GiftCard
from kit.database.locking import lock_rows
from kit.domain.actor import SYSTEM
from kit.messages.mails.queueing import queue_mail
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import money
from orders.models import Order, OrderLineItem


def issue_bought_cards(order_id: str) -> None:
    """Issue a card for each unit of the order's gift card lines, and queue the email of each new card.

    Call it in the transaction that records that the order is fully captured. A repeated call issues nothing, and a
    canceled order gets no cards. They are bound to nobody.
    Why: docs/decisions/orders.md#bought-gift-cards-belong-to-their-holders.
    """
    if not _CARD_LINES.read([order_id]):
        return
    lines = list(_card_lines().filter(order_id=order_id).order_by("pk"))
    [order] = lock_rows(Order.objects.filter(pk=order_id))
    if order.is_canceled:
        return
    issued = set(
        GiftCard.objects.filter(line_item_id__in=[line.pk for line in lines]).values_list("line_item_id", flat=True)
    )
    for line in lines:
        if line.pk not in issued:
            for card in _issue(line, order.currency_id):
                queue_mail("gift_card", about=card.pk)


def _card_lines() -> QuerySet[OrderLineItem]:
    lines: QuerySet[OrderLineItem] = OrderLineItem.objects.not_deleted().filter(is_giftcard=True)
    return lines


def _issue(line: OrderLineItem, currency_code: str) -> list[GiftCard]:
    """The line's cards, which share what was paid for them, at most their unit price each.

    Without an error for a line that was free, or that has fewer cents than units: those go without a card.
    Why: docs/decisions/gift-cards.md#a-card-costs-what-it-is-worth.
    """
    value: Decimal = money.rounded(min(line.total, line.unit_price * line.quantity), currency_code)
    payable = money.stored(value) // money.step(currency_code)
    units = min(line.quantity, payable)
    if not units:
        return []
    terms = Terms(value=value, currency_code=currency_code)
    return issue_for_line(actor=SYSTEM, terms=terms, line_item_id=line.pk, units=units)


_CARD_LINES = KeyedRows(_card_lines, key="order_id", columns=("id",))
