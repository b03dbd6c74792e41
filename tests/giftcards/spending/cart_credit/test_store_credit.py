"""What store credit pays of a cart, behind its cards."""

from decimal import Decimal
from typing import Any

import pytest

from carts.models import Cart
from customers.models import Customer
from giftcards.errors import (
    BalanceTooLow,
    CartWithoutCustomer,
    NoBalance,
    NoStoreCreditAccount,
)
from giftcards.ledger import adjustment
from giftcards.spending.cart_store_credit import add_store_credit, remove_store_credit
from kit.domain.actor import SYSTEM
from kit.errors import DomainError, InvalidData
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.giftcards.spending.cart_credit.paying import GUEST, cart_of, paid, put, quantity, refused

pytestmark = pytest.mark.django_db


def test_store_credit_pays_behind_the_cards_and_never_more_than_there_is(ann: Customer) -> None:
    actor, account, card = make.shopper(customer_id=ann.pk), store_credit(ann, "12.50"), gift_card(30)
    cart = cart_of(40, actor=actor)
    add_store_credit(actor=actor, cart_id=cart.pk)
    assert (paid(cart), cart.total) == ({account.pk: Decimal("12.50")}, Decimal("27.50"))
    put(cart, card, actor=actor)
    assert (paid(cart), cart.total) == ({account.pk: 10, card.pk: 30}, 0)
    quantity(cart, 2, actor=actor)
    assert (paid(cart), cart.total) == ({account.pk: Decimal("12.50"), card.pk: 30}, Decimal("37.50"))


def test_store_credit_follows_what_is_on_the_account(ann: Customer) -> None:
    actor, account = make.shopper(customer_id=ann.pk), store_credit(ann, 5)
    cart = cart_of(10, actor=actor)
    add_store_credit(actor=actor, cart_id=cart.pk)
    store_credit(ann, 2)
    quantity(cart, 1, actor=actor)
    assert paid(cart) == {account.pk: 7}
    adjustment.adjust(actor=SYSTEM, customer_id=ann.pk, currency_code="usd", amount=Decimal(-7), reason="taken")
    quantity(cart, 1, actor=actor)
    assert (paid(cart), cart.total) == ({}, 10)


def test_an_amount_is_the_most_that_store_credit_pays_until_another_is_named(ann: Customer) -> None:
    actor, account = make.shopper(customer_id=ann.pk), store_credit(ann, 50)
    cart = cart_of(10, actor=actor)

    def pays(amount: Any) -> Any:
        add_store_credit(actor=actor, cart_id=cart.pk, amount=amount and Decimal(str(amount)))
        return paid(cart)[account.pk]

    assert pays("7.25") == Decimal("7.25")
    quantity(cart, 3, actor=actor)
    assert (paid(cart), cart.total) == ({account.pk: Decimal("7.25")}, Decimal("22.75"))
    assert pays(20) == 20
    quantity(cart, 1, actor=actor)
    assert paid(cart) == {account.pk: 10}
    quantity(cart, 5, actor=actor)
    assert paid(cart) == {account.pk: 20}
    assert pays(None) == 50


@pytest.mark.parametrize(
    ("amount", "error"),
    [
        *((0, InvalidData), (-1, InvalidData), ("0.001", InvalidData), ("1e12", InvalidData), ("NaN", InvalidData)),
        ("50.01", BalanceTooLow),
    ],
)
def test_what_the_account_cannot_pay_is_refused(ann: Customer, amount: Any, error: type[DomainError]) -> None:
    actor = make.shopper(customer_id=ann.pk)
    store_credit(ann, 50)
    cart = cart_of(10, actor=actor)
    add_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(2))
    refused(cart, error, lambda: add_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(str(amount))))


def test_there_has_to_be_an_account_with_something_on_it(ann: Customer) -> None:
    actor = make.shopper(customer_id=ann.pk)
    cart = cart_of(10, actor=actor)
    store_credit(ann, 5, currency_code="eur")
    refused(cart, NoStoreCreditAccount, lambda: add_store_credit(actor=actor, cart_id=cart.pk))
    store_credit(ann, 5)
    store_credit(ann, -5)
    refused(cart, NoBalance, lambda: add_store_credit(actor=actor, cart_id=cart.pk))


def test_a_cart_of_nobody_is_paid_by_no_store_credit(ann: Customer) -> None:
    store_credit(ann)
    cart = cart_of(10)
    for actor in (GUEST(), make.shopper(customer_id=ann.pk), SYSTEM):
        refused(cart, CartWithoutCustomer, lambda actor=actor: add_store_credit(actor=actor, cart_id=cart.pk))


def test_nobody_who_merely_knows_a_guests_cart_pays_with_the_guests_store_credit(ann: Customer) -> None:
    guest = CustomerFactory(has_account=False)
    account = store_credit(guest, 50)
    cart = cart_of(10)
    Cart.objects.filter(pk=cart.pk).update(customer=guest)
    for actor in (GUEST(), make.shopper(customer_id=ann.pk)):
        refused(cart, CartWithoutCustomer, lambda actor=actor: add_store_credit(actor=actor, cart_id=cart.pk))
    add_store_credit(actor=SYSTEM, cart_id=cart.pk)
    assert paid(cart) == {account.pk: 10}


def test_store_credit_is_taken_off_and_taking_it_off_again_changes_nothing(ann: Customer) -> None:
    actor, card = make.shopper(customer_id=ann.pk), gift_card(4)
    store_credit(ann, 5)
    cart = cart_of(10, actor=actor)
    put(cart, card, actor=actor)
    add_store_credit(actor=actor, cart_id=cart.pk)
    for _ in range(2):
        remove_store_credit(actor=actor, cart_id=cart.pk)
        assert (paid(cart), cart.total) == ({card.pk: 4}, 6)
