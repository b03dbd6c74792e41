"""Where a gift card comes from, on its screen."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from carts.admin.order_links import ORDER_LINKS
from giftcards.admin.batches import BATCH
from giftcards.models import GiftCard


class CardOrigin:
    """The order that bought the card, or who else issued it."""

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        card = super().get_object(request, *args, **kwargs)  # type: ignore[misc]
        if card is not None:
            card.origin = _origin(request, card)
        return card

    @admin.display(description="Origin")
    def origin(self, row: Any) -> str:
        return str(row.origin)


def _origin(request: HttpRequest, card: GiftCard) -> str:
    if card.line_item_id is not None:
        links = ORDER_LINKS.get()(request, line_ids=[card.line_item_id])
        return format_html("Order {}", links[card.line_item_id]) if links else "An order that is gone"
    if card.reference == BATCH:
        return "Issued by staff"
    return " ".join(filter(None, (card.reference, card.reference_id))) or "Issued by a program"
