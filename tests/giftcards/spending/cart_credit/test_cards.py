"""Which gift cards may be put on a cart, which fall off, and how they are taken off."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts.models import CreditLine
from customers.models import Customer
from giftcards.cards import cancellation, redemption
from giftcards.errors import (
    AlreadyRedeemed,
    CurrencyMismatch,
    GiftCardCanceled,
    GiftCardExpired,
    GiftCardNotFound,
    NoBalance,
)
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card, remove_card
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.values.timestamps import now
from tests.contract.callers import storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, spend
from tests.giftcards.spending.cart_credit.paying import GUEST, cart_of, paid, put, quantity, refused

pytestmark = pytest.mark.django_db


def expire(card: GiftCard) -> None:
    GiftCard.objects.filter(pk=card.pk).update(expires_at=now() - timedelta(seconds=1))


def cancel(card: GiftCard) -> None:
    cancellation.cancel(actor=SYSTEM, card_id=card.pk)


def redeem_elsewhere(card: GiftCard) -> None:
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.pk)


def spend_as_guest(card: GiftCard) -> None:
    account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    spend(account_id, card.value, order_id="another")


@pytest.mark.parametrize("end", [expire, cancel, redeem_elsewhere, spend_as_guest])
def test_a_card_that_pays_no_longer_falls_off_at_the_next_change_and_not_before(end: Any) -> None:
    cart, card, other = cart_of(10), gift_card(4), gift_card(5)
    put(cart, card, other)
    end(card)
    shown = storefront(publishable_key()).get(f"/store/carts/{cart.pk}").json()["cart"]
    assert (shown["total"], len(shown["credit_lines"])) == (1, 2)
    assert paid(cart) == {card.pk: 4, other.pk: 5}
    quantity(cart, 2)
    assert (paid(cart), cart.total) == ({other.pk: 5}, 15)


ENDED = [
    (expire, GiftCardExpired),
    (cancel, GiftCardCanceled),
    (redeem_elsewhere, AlreadyRedeemed),
    (spend_as_guest, NoBalance),
]


@pytest.mark.parametrize(("end", "error"), ENDED)
def test_a_card_that_pays_no_longer_is_refused(end: Any, error: type[DomainError]) -> None:
    cart, card = cart_of(10), gift_card(4)
    end(card)
    refused(cart, error, lambda: put(cart, card))


def test_a_card_in_another_currency_is_refused() -> None:
    cart, card = cart_of(10), gift_card(4, currency_code="eur")
    refused(cart, CurrencyMismatch, lambda: put(cart, card), "in eur, the cart in usd")


@pytest.mark.parametrize("code", ["", "GIFT-NOBODY", "gcard_nobody", "a\0b", "\ud800"])
def test_an_unknown_card_is_not_found(code: str) -> None:
    cart = cart_of(10)
    refused(cart, GiftCardNotFound, lambda: add_card(actor=GUEST(), cart_id=cart.pk, code=code))
    refused(cart, GiftCardNotFound, lambda: remove_card(actor=GUEST(), cart_id=cart.pk, code=code))


def test_a_card_is_on_a_cart_once(ann: Customer) -> None:
    cart, card = cart_of(10), gift_card(4)
    put(cart, card, card)
    add_card(actor=GUEST(), cart_id=cart.pk, code=f" {card.code.lower()} ")
    add_card(actor=GUEST(), cart_id=cart.pk, code=card.pk)
    assert (paid(cart), cart.total) == ({card.pk: 4}, 6)


def test_a_card_may_be_on_several_carts() -> None:
    first, second, card = cart_of(10), cart_of(10), gift_card(4)
    put(first, card)
    put(second, card)
    assert paid(first) == paid(second) == {card.pk: 4}


def test_a_bound_card_pays_for_the_cart_of_its_customer_alone(ann: Customer) -> None:
    card = gift_card(4, customer_id=ann.pk)
    mine, others = make.shopper(customer_id=ann.pk), make.shopper(customer_id=CustomerFactory().pk)
    carts = [cart_of(10), cart_of(10, actor=others), cart_of(10, actor=mine)]
    refused(carts[0], GiftCardNotFound, lambda: put(carts[0], card))
    refused(carts[0], GiftCardNotFound, lambda: put(carts[0], card, actor=mine))
    refused(carts[0], GiftCardNotFound, lambda: put(carts[0], card, actor=SYSTEM))
    refused(carts[1], GiftCardNotFound, lambda: put(carts[1], card, actor=others))
    put(carts[2], card, actor=mine)
    assert paid(carts[2]) == {card.pk: 4}


def test_what_a_guest_has_left_of_a_card_its_code_spends_on_later_carts(ann: Customer) -> None:
    card = gift_card(25)
    account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    spend(account_id, "17.50", order_id="first")
    guests, anns = cart_of(5), cart_of(10, actor=make.shopper(customer_id=ann.pk))
    put(guests, card)
    put(anns, card, actor=make.shopper(customer_id=ann.pk))
    assert (paid(guests), paid(anns)) == ({card.pk: 5}, {card.pk: Decimal("7.50")})
    spend(account_id, 5, order_id=guests.pk)
    quantity(anns, 2, actor=make.shopper(customer_id=ann.pk))
    assert paid(anns) == {card.pk: Decimal("2.50")}


def test_the_remainder_of_a_guests_card_does_not_expire() -> None:
    cart, card = cart_of(10), gift_card(25)
    redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    expire(card)
    put(cart, card)
    assert paid(cart) == {card.pk: 10}


def test_a_card_is_taken_off_by_its_code_or_id_or_that_of_its_credit_line() -> None:
    cart, card, other = cart_of(10), gift_card(4), gift_card(5)
    names: list[Callable[[], str]] = [
        card.code.lower,
        lambda: card.pk,
        lambda: CreditLine.objects.get(reference_id=card.pk).pk,
    ]
    for name in names:
        put(cart, card, other)
        remove_card(actor=GUEST(), cart_id=cart.pk, code=name())
        assert (paid(cart), cart.total) == ({other.pk: 5}, 5)


def test_a_card_that_the_cart_does_not_have_cannot_be_taken_off() -> None:
    cart, card, other = cart_of(10), gift_card(4), gift_card(5)
    put(cart, card)
    for name in (other.code, other.pk):
        refused(cart, GiftCardNotFound, lambda name=name: remove_card(actor=GUEST(), cart_id=cart.pk, code=name))
