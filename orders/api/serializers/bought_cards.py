"""The gift cards of an order's line.

Why: docs/decisions/orders.md#bought-gift-cards-belong-to-their-holders.
"""

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from rest_framework import serializers

from giftcards.codes import masked
from giftcards.models import GiftCard
from kit.reads.declarations.computed import Batch, BatchRelation, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass
from kit.reads.plans.rows import stored_number
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.json import JSONObject
from orders.models import OrderLineItem


class BoughtGiftCardSerializer(ResourceSerializer):
    """A gift card that was bought. It can be used by its code alone, which is in the email to its recipient."""

    id = serializers.CharField()
    code = serializers.CharField(help_text="The end of the code.")
    value = MoneyValue()
    status = serializers.CharField(help_text="One of: pending, redeemed, canceled.")


class _CardRow(NamedTuple):
    """value: in 1/10,000."""

    line_item_id: str
    unit: int
    id: str
    code: str
    value: int
    status: str


def _card() -> ResourceSerializerClass:
    return BoughtGiftCardSerializer


def _of_lines(batch: Batch) -> Sequence[list[JSONObject]]:
    """One statement, if there are lines of gift cards."""
    of_line: defaultdict[str, list[JSONObject]] = defaultdict(list)
    rows = _CARDS.read([line_id for line_id, is_giftcard in batch.rows if is_giftcard])
    for row in sorted(rows, key=attrgetter("unit")):
        value = stored_number(row.value)
        card: JSONObject = {"id": row.id, "code": masked(row.code), "value": value, "status": row.status}
        of_line[row.line_item_id].append(card)
    return [of_line[line_id] for line_id, _ in batch.rows]


def _of_orders(batch: Batch) -> Sequence[list[JSONObject]]:
    """The cards of all lines of each order. Two statements, if there are lines of gift cards."""
    lines = _CARD_LINES.read([order_id for (order_id,) in batch.rows])
    of_order: defaultdict[str, list[JSONObject]] = defaultdict(list)
    cards = _of_lines(Batch([(line_id, True) for _, line_id in lines], batch.actor, batch.context)) if lines else []
    for (order_id, _), own in zip(lines, cards, strict=True):
        of_order[order_id] += own
    return [of_order[order_id] for (order_id,) in batch.rows]


_CARD_LINES = KeyedRows(
    lambda: OrderLineItem.objects.not_deleted().filter(is_giftcard=True).order_by("created_at", "pk"),
    key="order_id",
    columns=("order_id", "id"),
)
_CARDS = KeyedRows(GiftCard.objects.not_deleted, key="line_item_id", row=_CardRow)
GIFT_CARDS_OF_LINE = BatchRelation(_card, columns=("id", "is_giftcard"), load=_of_lines, many=True, along=True)
"""The relation that the order line's serializer gets: one card for each unit that is issued."""
GIFT_CARDS_OF_ORDER = BatchRelation(_card, columns=("id",), load=_of_orders, many=True)
"""The relation that the order's serializer for staff gets: all cards that were bought with it."""
