"""Gift cards and store credit of carts that somebody takes over, or that are complete."""

from typing import Any

import pytest

from carts.details import ownership
from carts.errors import CartCompleted, CartNotFound
from carts.models import Cart
from customers.models import Customer
from giftcards.spending.cart_cards import add_card, remove_card
from giftcards.spending.cart_store_credit import add_store_credit, remove_store_credit
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.giftcards.spending.cart_credit.paying import GUEST, cart_of, paid, put, refused

pytestmark = pytest.mark.django_db


def test_a_cart_that_is_taken_over_keeps_its_card_and_may_use_its_customers_credit(ann: Customer) -> None:
    cart, card = cart_of(10), gift_card(4)
    put(cart, card)
    actor = make.shopper(customer_id=ann.pk)
    ownership.take_over(actor=actor, cart_id=cart.pk)
    assert paid(cart) == {card.pk: 4}
    bound, account = gift_card(5, customer_id=ann.pk), store_credit(ann, 50)
    put(cart, bound, actor=actor)
    add_store_credit(actor=actor, cart_id=cart.pk)
    assert (paid(cart), cart.total) == ({card.pk: 4, bound.pk: 5, account.pk: 1}, 0)


def test_what_a_guest_customers_credit_held_falls_off_when_somebody_takes_the_cart_over(ann: Customer) -> None:
    guest = CustomerFactory(has_account=False)
    store_credit(guest, 50)
    cart = cart_of(10)
    Cart.objects.filter(pk=cart.pk).update(customer=guest)
    bound = gift_card(4, customer_id=guest.pk)
    put(cart, bound, actor=SYSTEM)
    add_store_credit(actor=SYSTEM, cart_id=cart.pk)
    assert len(paid(cart)) == 2
    ownership.take_over(actor=make.shopper(customer_id=ann.pk), cart_id=cart.pk)
    assert (paid(cart), cart.total) == ({}, 10)


def test_another_customers_cart_is_not_found(ann: Customer) -> None:
    cart, card = cart_of(10, actor=make.shopper(customer_id=ann.pk)), gift_card(4)
    store_credit(ann)
    for actor in (GUEST(), make.shopper(customer_id=CustomerFactory().pk)):
        where: Any = {"actor": actor, "cart_id": cart.pk}
        refused(cart, CartNotFound, lambda where=where: add_card(**where, code=card.code))
        refused(cart, CartNotFound, lambda where=where: remove_card(**where, code=card.code))
        refused(cart, CartNotFound, lambda where=where: add_store_credit(**where))
        refused(cart, CartNotFound, lambda where=where: remove_store_credit(**where))


def test_a_completed_cart_is_paid_by_nothing_more(ann: Customer) -> None:
    where: Any = {"actor": make.shopper(customer_id=ann.pk)}
    cart, card = cart_of(10, **where), gift_card(4)
    store_credit(ann)
    put(cart, card, **where)
    Cart.objects.filter(pk=cart.pk).update(completed_at=now())
    where["cart_id"] = cart.pk
    refused(cart, CartCompleted, lambda: add_card(**where, code=gift_card().code))
    refused(cart, CartCompleted, lambda: remove_card(**where, code=card.code))
    refused(cart, CartCompleted, lambda: add_store_credit(**where))
    refused(cart, CartCompleted, lambda: remove_store_credit(**where))
