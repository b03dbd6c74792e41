"""Carts that many change at once."""

import pytest

from carts.details import ownership
from carts.errors import CartNotFound, LinesOutOfStock
from carts.lines import line_addition, line_change
from carts.models import Cart
from kit.database.locking import retry_on_conflict
from tests.concurrency.crowd import at_once
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory

THREADS = 20
pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_line_added_by_many_at_once_has_all_their_pieces() -> None:
    mug = make.sold_variant(10, in_stock=THREADS)
    cart, actor = make.cart(), make.shopper()

    def add(_: int) -> None:
        retry_on_conflict(lambda: line_addition.add(actor=actor, cart_id=cart.pk, variant_id=mug.pk, quantity=1))

    at_once(add, threads=THREADS)
    line = cart.items.get()
    cart.refresh_from_db()
    assert (line.quantity, line.total, cart.total) == (THREADS, 10 * THREADS, 10 * THREADS)


def test_many_together_put_no_more_into_a_cart_than_there_is() -> None:
    mug = make.sold_variant(10, in_stock=7)
    cart, actor = make.cart(), make.shopper()

    def add(_: int) -> int:
        try:
            retry_on_conflict(lambda: line_addition.add(actor=actor, cart_id=cart.pk, variant_id=mug.pk, quantity=1))
        except LinesOutOfStock:
            return 0
        return 1

    assert sum(at_once(add, threads=THREADS)) == cart.items.get().quantity == 7


def test_changes_of_different_lines_leave_a_total_of_both() -> None:
    variants = [make.sold_variant(10) for _ in range(4)]
    cart, actor = make.cart(*variants), make.shopper()
    ids = [line.pk for line in cart.items.order_by("pk")]

    def change(thread: int) -> None:
        retry_on_conflict(
            lambda: line_change.change(actor=actor, cart_id=cart.pk, line_id=ids[thread], quantity=thread + 2)
        )

    at_once(change, threads=len(ids))
    cart.refresh_from_db()
    assert cart.total == 10 * (2 + 3 + 4 + 5)


@pytest.mark.parametrize("is_of_guest", [False, True])
def test_of_many_who_take_a_guests_cart_over_one_gets_it(is_of_guest: bool) -> None:
    customers = [CustomerFactory() for _ in range(THREADS)]
    guest = CustomerFactory(has_account=False) if is_of_guest else None
    cart = make.cart(make.sold_variant(10))
    Cart.objects.filter(pk=cart.pk).update(customer=guest)

    def take(thread: int) -> str | None:
        customer = customers[thread]
        try:
            retry_on_conflict(lambda: ownership.take_over(actor=make.shopper(customer_id=customer.pk), cart_id=cart.pk))
        except CartNotFound:
            return None
        return customer.pk

    winners = [winner for winner in at_once(take, threads=THREADS) if winner]
    cart.refresh_from_db()
    assert winners == [cart.customer_id]
    assert cart.email == next(each.email for each in customers if each.pk == cart.customer_id)
