"""Shoppers who return to carts at the moment when these are deleted lose nothing that the shop has accepted."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from carts.details import details
from carts.errors import CartNotFound
from carts.lines import line_addition
from carts.models import Cart, LineItem
from carts.pricing.locked_cart import lock_cart
from catalog.models import ProductVariant
from kit.domain.actor import SYSTEM
from kit.errors import Conflict
from kit.values.timestamps import now
from orders.completion import expired_carts
from orders.completion.expired_carts import discard_expired
from payments.lifecycle import cart_collection
from tests.concurrency.crowd import at_once
from tests.factories import carts as make
from tests.factories.clock import at

pytestmark = pytest.mark.django_db(transaction=True)


def old_cart(variant: ProductVariant) -> Cart:
    with at(now() - timedelta(days=100)):
        return make.cart(variant)


def returns_to(cart: Cart, variant: ProductVariant) -> bool:
    """Whether the shopper could add a piece; else the cart is gone."""
    for _ in range(50):
        try:
            line_addition.add(actor=make.shopper(), cart_id=cart.pk, variant_id=variant.pk, quantity=1)
        except CartNotFound:
            return False
        except Conflict:
            continue
        return True
    raise AssertionError("The cart stays locked")


@pytest.mark.postgresql
def test_a_cart_that_a_shopper_has_locked_is_not_waited_for() -> None:
    mug = make.sold_variant()
    cart, other = old_cart(mug), old_cart(mug)
    locked, done = threading.Event(), threading.Event()

    def shop() -> None:
        try:
            with transaction.atomic():
                lock_cart(actor=SYSTEM, cart_id=cart.pk)
                locked.set()
                done.wait(20)
        finally:
            connection.close()

    shopper = threading.Thread(target=shop)
    shopper.start()
    locked.wait(20)
    assert discard_expired() == 1
    done.set()
    shopper.join()
    assert Cart.objects.get() == cart
    assert not Cart.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize("change", ["line", "email"])
def test_a_shopper_who_returns_once_the_cart_was_found_keeps_it(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mug = make.sold_variant()
    cart, find = old_cart(mug), expired_carts._discard_batch

    def meanwhile(*given: object) -> int:
        if change == "line":
            assert returns_to(cart, mug)
        else:
            details.change(actor=make.shopper(), cart_id=cart.pk, email="ann@example.com")
        return find(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(expired_carts, "_discard_batch", meanwhile)
    assert discard_expired() == 0
    assert Cart.objects.get().items.get().quantity == (2 if change == "line" else 1)


def test_a_shopper_who_begins_to_pay_as_the_cart_is_deleted_is_told_that_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cart, begin = old_cart(make.sold_variant()), cart_collection._opened

    def meanwhile(cart_id: str) -> str:
        assert discard_expired() == 1
        return begin(cart_id)

    monkeypatch.setattr(cart_collection, "_opened", meanwhile)
    with pytest.raises(CartNotFound):
        cart_collection.open_collection(actor=make.shopper(), cart_id=cart.pk)


def test_of_many_returning_shoppers_each_finds_the_cart_whole_or_not_at_all() -> None:
    mug = make.sold_variant()
    carts = [old_cart(mug) for _ in range(24)]

    def work(number: int) -> dict[str, bool]:
        if number == 0:
            return {"": bool(discard_expired())}
        return {cart.pk: returns_to(cart, mug) for cart in carts[number - 1 :: 4]}

    accepted = {key: outcome for part in at_once(work, threads=5) for key, outcome in part.items() if key}
    assert len(accepted) == len(carts)
    there = dict(LineItem.objects.values_list("cart_id", "quantity"))
    assert there == {key: 2 for key, outcome in accepted.items() if outcome}
    assert {cart.pk for cart in Cart.objects.all()} == there.keys()
