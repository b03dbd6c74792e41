"""Where a gift card comes from, on its screen."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from carts.admin.order_links import ORDER_LINKS
from giftcards.admin.batches import BATCH
from giftcards.models import GiftCard


class CardOrigin:
    """The order that bought the card, or who else issued it."""

    def add_links(self, request: HttpRequest, rows: Sequence[Any]) -> None:
        """The order is read for a card whose origin is shown."""
        for row in rows:
            row.told_origin = partial(_origin, request, row)

    @admin.display(description="Origin")
    def origin(self, row: Any) -> str:
        return str(row.told_origin())


def _origin(request: HttpRequest, card: GiftCard) -> str:
    if card.line_item_id is not None:
        links = ORDER_LINKS.get()(request, line_ids=[card.line_item_id])
        return format_html("Order {}", links[card.line_item_id]) if links else "An order that is gone"
    if card.reference == BATCH:
        return "Issued by staff"
    return " ".join(filter(None, (card.reference, card.reference_id))) or "Issued by a program"
