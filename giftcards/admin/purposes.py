"""What entries of the ledger and their groups are for: links to orders, carts and gift cards in place of ids."""

from collections.abc import Collection, Mapping

from django.http import HttpRequest
from django.utils.html import format_html

from carts.admin.cart_links import cart_links
from carts.admin.order_links import ORDER_LINKS
from commerce.kit.admin.row_link import opening_link
from giftcards.models import GiftCard, Transaction, TransactionGroup
from giftcards.references import GIFT_CARD, Reference

_CART, _ORDER = "cart", "order"


def reference_of(row: Transaction | TransactionGroup) -> Reference:
    """What an entry is for; of a group, the source that its code names."""
    if isinstance(row, Transaction):
        return Reference(row.reference, row.reference_id)
    kind, _, key = row.code.partition(":")
    return Reference(kind, key)


def purposes(request: HttpRequest, rows: Collection[Transaction | TransactionGroup]) -> Mapping[Reference, str]:
    """Texts by reference, with links that the user may follow. A statement for each of orders, carts and cards."""
    named = {reference_of(row) for row in rows}
    keys = {kind: [each.id for each in named if each.kind == kind] for kind in (_ORDER, _CART, GIFT_CARD)}
    links = {
        _ORDER: ORDER_LINKS.get()(request, order_ids=keys[_ORDER]),
        _CART: cart_links(request, keys[_CART]),
        GIFT_CARD: {card.pk: opening_link(request, card) for card in GiftCard.objects.filter(pk__in=keys[GIFT_CARD])},
    }
    return {each: _shown(each.kind, links.get(each.kind, {}).get(each.id)) for each in named}


def _shown(kind: str, link: str | None) -> str:
    name = kind.replace("_", " ").capitalize()
    if link is None:
        return name
    return link if kind == _CART else format_html("{} {}", name, link)  # a cart's own name begins with the word
