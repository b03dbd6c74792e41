"""What entries of the ledger and their groups are for: links to orders, carts and gift cards in place of ids."""

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from carts.admin.cart_links import cart_links
from carts.admin.order_links import ORDER_LINKS
from giftcards.ledger.references import GIFT_CARD, REFUND, Reference
from giftcards.models import GiftCard, Transaction, TransactionGroup
from kit.admin.lists.row_link import opening_link

_CART, _ORDER = "cart", "order"
OPENED_BY_ID = frozenset((_CART, _ORDER, GIFT_CARD))
"""Anyone who knows such an id can open the cart, order or card without signing in, so screens show links instead."""


def reference_of(row: Transaction | TransactionGroup) -> Reference:
    """What an entry is for; of a group, the source that its code names."""
    if isinstance(row, Transaction):
        return Reference(row.reference, row.reference_id)
    kind, _, key = row.code.partition(":")
    return Reference(kind, key.partition(":")[0] if kind == REFUND else key)  # the account of a refund follows its id


def purposes(request: HttpRequest, rows: Collection[Transaction | TransactionGroup]) -> Mapping[Reference, str]:
    """Texts by reference, with links that the user may follow.

    A statement for each of orders, refunds, carts and gift cards.
    """
    named = {reference_of(row) for row in rows}
    keys = {kind: [each.id for each in named if each.kind == kind] for kind in (_ORDER, REFUND, _CART, GIFT_CARD)}
    of_orders = ORDER_LINKS.get()(request, order_ids=keys[_ORDER], refund_ids=keys[REFUND])
    cards = GiftCard.objects.filter(pk__in=keys[GIFT_CARD])
    links = {
        _ORDER: of_orders,
        REFUND: of_orders,
        _CART: cart_links(request, keys[_CART]),
        GIFT_CARD: {card.pk: opening_link(request, card) for card in cards},
    }
    return {each: _shown(each.kind, links.get(each.kind, {}).get(each.id)) for each in named}


def add_purposes(request: HttpRequest, rows: Collection[Any]) -> None:
    """Set the purpose of each entry or group. Statements as for `purposes`."""
    texts = purposes(request, rows)
    for row in rows:
        row.purpose = texts[reference_of(row)]


class SourceColumn:
    """What the credit of a group comes from."""

    def add_links(self, request: HttpRequest, rows: Collection[Any]) -> None:
        """Statements as for `purposes`."""
        add_purposes(request, rows)

    @admin.display(description="Source")
    def source(self, row: Any) -> str:
        return str(row.purpose)


def _shown(kind: str, link: str | None) -> str:
    name = kind.replace("_", " ").capitalize()
    if link is None:
        return name
    if kind == _CART:
        return link  # a cart's own name begins with the word
    return format_html("{} {}", "Refund of order" if kind == REFUND else name, link)
