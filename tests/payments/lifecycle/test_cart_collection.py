"""A cart's collection is made once, for what the cart has left to pay."""

from decimal import Decimal

import pytest

from carts.errors import CartCompleted, CartNotFound
from carts.models import Cart
from kit.values.timestamps import now
from payments.lifecycle import cart_collection
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.payments.paid_carts import in_store


class TestOpening:
    def test_it_is_for_what_the_cart_has_left_to_pay(self, db: None) -> None:
        cart = make.payable_cart("12.34")
        made = make.collection(cart)
        assert (made.cart_id, made.amount, made.currency_id, made.status) == (
            cart.pk,
            Decimal("12.34"),
            "usd",
            "not_paid",
        )
        sums = (made.authorized_amount, made.captured_amount, made.refunded_amount)
        assert (sums, made.completed_at, made.metadata, made.deleted_at) == ((0, 0, 0), None, None, None)
        assert in_store(cart).payment_collection_id == made.pk

    def test_each_cart_has_one(self, db: None) -> None:
        cart = make.payable_cart()
        assert len({make.collection(cart).pk for _ in range(3)}) == 1
        assert make.collection().pk != make.collection(cart).pk

    def test_an_empty_cart_has_nothing_to_pay(self, db: None) -> None:
        assert make.collection(make_carts.cart()).amount == 0

    def test_not_for_a_cart_that_is_completed_unless_it_was_there_before(self, db: None) -> None:
        cart, paid = make.payable_cart(), make.payable_cart()
        before = make.collection(paid)
        Cart.objects.update(completed_at=now())
        with pytest.raises(CartCompleted, match=f"^Cart {cart.pk} is already completed\\.$"):
            make.collection(cart)
        assert make.collection(paid) == before

    @pytest.mark.parametrize("cart_id", ["cart_nobody", "", "\0", "x" * 5000])
    def test_not_for_a_cart_that_is_not_there(self, db: None, cart_id: str) -> None:
        with pytest.raises(CartNotFound):
            cart_collection.open_collection(actor=shopper(), cart_id=cart_id)
