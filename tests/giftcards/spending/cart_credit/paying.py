"""Carts that cards pay for, and what they pay."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from carts.lines import line_change
from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import Actor
from kit.errors import DomainError
from tests.factories import carts as make

GUEST = make.shopper


def cart_of(price_each: Any, quantity: int = 1, *, actor: Actor | None = None) -> Cart:
    variant = make.sold_variant(price_each)
    return make.cart(NewLineItem(variant.pk, quantity), actor=actor)


def put(cart: Cart, *cards: GiftCard, actor: Actor | None = None) -> None:
    for card in cards:
        add_card(actor=actor or GUEST(), cart_id=cart.pk, code=card.code)


def quantity(cart: Cart, pieces: int, *, actor: Actor | None = None) -> None:
    line = cart.items.order_by("pk").first()
    assert line is not None
    line_change.change(actor=actor or GUEST(), cart_id=cart.pk, line_id=line.pk, quantity=pieces)


def paid(cart: Cart) -> dict[str, Decimal]:
    """What each credit line pays, by the id of its card or account; held to the cart's own totals."""
    cart.refresh_from_db()
    lines = {line.reference_id: line.amount for line in cart.credit_lines.order_by("pk")}
    assert cart.credit_line_total == sum(lines.values())
    assert cart.total == cart.item_subtotal + cart.tax_total - cart.discount_subtotal - cart.credit_line_total >= 0
    return lines


def refused(cart: Cart, error: type[DomainError], put_it: Callable[[], None], match: str | None = None) -> None:
    before = paid(cart), list(Cart.objects.filter(pk=cart.pk).values())
    with pytest.raises(error, match=match):
        put_it()
    assert (paid(cart), list(Cart.objects.filter(pk=cart.pk).values())) == before
