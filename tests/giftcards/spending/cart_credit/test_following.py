"""What gift cards pay of a cart, through all its changes."""

from decimal import Decimal

import pytest

from carts.details import details, promotion_codes
from carts.lines import line_removal
from carts.states import PromotionTarget, PromotionType
from customers.models import Customer
from giftcards.spending.cart_store_credit import add_store_credit
from tests.factories import carts as make
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.pricing import price
from tests.giftcards.spending.cart_credit.paying import GUEST, cart_of, paid, put, quantity

pytestmark = pytest.mark.django_db


def test_a_card_pays_what_it_can_and_the_rest_is_left_to_pay() -> None:
    cart, card = cart_of("12.34", 3), gift_card(10)
    put(cart, card)
    assert paid(cart) == {card.pk: 10}
    assert (cart.total, cart.item_total) == (Decimal("27.02"), Decimal("37.02"))
    card.refresh_from_db()
    assert card.status == "pending"


def test_a_card_pays_no_more_than_is_due() -> None:
    cart, card = cart_of("12.34"), gift_card(50)
    put(cart, card)
    assert (paid(cart), cart.total) == ({card.pk: Decimal("12.34")}, 0)


def test_taxes_are_paid_too_and_stay_what_they_are() -> None:
    region = make.selling_region(tax_rate=10)
    cart = make.cart(make.sold_variant("9.99"), region_id=region.pk)
    put(cart, gift_card(5))
    paid(cart)
    assert (cart.tax_total, cart.total, cart.original_total) == (Decimal("1.00"), Decimal("5.99"), Decimal("10.99"))


def test_the_smallest_balance_pays_first_whichever_came_first() -> None:
    cart = cart_of(40)
    large, small, middle = (gift_card(value) for value in (30, 5, 20))
    put(cart, large, small, middle)
    assert paid(cart) == {large.pk: 15, small.pk: 5, middle.pk: 20}
    assert cart.total == 0


def test_cards_that_are_not_needed_stay_on_the_cart_and_pay_nothing_yet() -> None:
    cart = cart_of(10)
    small, large = gift_card(10), gift_card(20)
    put(cart, large, small)
    assert paid(cart) == {large.pk: 0, small.pk: 10}
    quantity(cart, 3)
    assert paid(cart) == {large.pk: 20, small.pk: 10}


def test_a_card_follows_the_quantity_up_and_down() -> None:
    cart, card = cart_of("7.77"), gift_card(20)
    put(cart, card)
    for pieces, pays in ((1, "7.77"), (2, "15.54"), (3, "20"), (2, "15.54"), (1, "7.77")):
        quantity(cart, pieces)
        assert paid(cart) == {card.pk: Decimal(pays)}
        assert cart.total == max(Decimal("7.77") * pieces - 20, 0)


def test_an_empty_cart_costs_nothing_and_keeps_its_card() -> None:
    cart, card = cart_of(10), gift_card(20)
    put(cart, card)
    line_removal.remove(actor=GUEST(), cart_id=cart.pk, line_id=cart.items.get().pk)
    assert (paid(cart), cart.total) == ({card.pk: 0}, 0)


def test_a_card_follows_a_promotion_that_comes_and_goes() -> None:
    cart, card = cart_of(30), gift_card(50)
    make.PromotionFactory(
        code="TEN", type=PromotionType.FIXED, target=PromotionTarget.ORDER, value=10, currency_id="usd"
    )
    put(cart, card)
    promotion_codes.add(actor=GUEST(), cart_id=cart.pk, promo_codes=["TEN"])
    assert (paid(cart), cart.total) == ({card.pk: 20}, 0)
    promotion_codes.remove(actor=GUEST(), cart_id=cart.pk, promo_codes=["TEN"])
    assert (paid(cart), cart.total) == ({card.pk: 30}, 0)


def test_in_another_currency_cards_and_store_credit_fall_off(ann: Customer) -> None:
    actor = make.shopper(customer_id=ann.pk)
    europe = make.selling_region(currency_id="eur", countries=["de"])
    variant = make.sold_variant(10)
    price(variant, 9, "eur")
    cart = make.cart(variant, actor=actor)
    put(cart, gift_card(3), actor=actor)
    store_credit(ann, 100)
    add_store_credit(actor=actor, cart_id=cart.pk)
    assert sorted(paid(cart).values()) == [3, 7]
    details.change(actor=actor, cart_id=cart.pk, region_id=europe.pk)
    assert (paid(cart), cart.total) == ({}, 9)


def test_in_another_region_of_the_same_currency_they_stay() -> None:
    cart, card = cart_of(10), gift_card(3)
    put(cart, card)
    details.change(actor=GUEST(), cart_id=cart.pk, region_id=make.selling_region(countries=["ca"]).pk)
    assert paid(cart) == {card.pk: 3}
