"""Issuing the gift cards that were bought with an order."""

from collections.abc import Iterable
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
    canceled order gets no cards. The cards of a line share its price, net of discounts and taxes, to the last cent;
    they are bound to nobody. Why: docs/decisions/orders.md#bought-gift-cards-belong-to-their-holders.
    """
    if not _CARD_LINES.read([order_id]):
        return
    lines = list(_card_lines().filter(order_id=order_id).order_by("pk"))
    [order] = lock_rows(Order.objects.filter(pk=order_id))
    if order.is_canceled:
        return
    known = set(_cards(lines))
    for line in lines:
        _issue(line, order.currency_id)
    for card_id in _cards(lines):
        if card_id not in known:
            queue_mail("gift_card", about=card_id)


def _card_lines() -> QuerySet[OrderLineItem]:
    lines: QuerySet[OrderLineItem] = OrderLineItem.objects.not_deleted().filter(is_giftcard=True)
    return lines


def _cards(lines: Iterable[OrderLineItem]) -> list[str]:
    cards = GiftCard.objects.filter(line_item_id__in=[line.pk for line in lines])
    return list(cards.order_by("line_item_id", "unit").values_list("pk", flat=True))


def _issue(line: OrderLineItem, currency_code: str) -> None:
    """Raises nothing for a line that was free, or whose price is not enough for every unit: those go without a card."""
    value: Decimal = money.rounded(line.subtotal - line.discount_subtotal, currency_code)
    payable = money.stored(value) // money.step(currency_code)
    if units := min(line.quantity, payable):
        terms = Terms(value=value, currency_code=currency_code)
        issue_for_line(actor=SYSTEM, terms=terms, line_item_id=line.pk, units=units)


_CARD_LINES = KeyedRows(_card_lines, key="order_id", columns=("id",))
