"""Carts that many callers complete at once, and many carts that want the same."""

import time
from collections import Counter
from typing import Any

import pytest
from django.db.models import Sum

from carts.errors import CartCompleted
from carts.lines import line_removal
from carts.models import Cart
from catalog.models import InventoryLevel
from kit.database.locking import retry_on_conflict
from kit.errors import Conflict, DomainError
from kit.messages.mails.models import Mail
from orders.models import Order
from payments.models import Payment, PaymentSession
from tests.concurrency.crowd import at_once
from tests.factories.carts import shopper
from tests.factories.checkout import ready_cart, stocked
from tests.orders.completing import completed
from tests.payments.providers import FAKE, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


_TRIES, _PAUSE = 3000, 0.01
"""On a busy machine, one caller may hold the cart for seconds."""


def outcome(cart: Cart) -> str:
    """The order's id, or the refusal's class. A conflict is answered 409 and may be sent again: so it is here."""
    for _ in range(_TRIES):
        try:
            done = completed(cart)
        except Conflict:
            time.sleep(_PAUSE)
            continue
        except DomainError as refusal:
            return type(refusal).__name__
        return str(done.order_id)
    return "Conflict"


def test_many_callers_of_one_cart_get_one_order() -> None:
    """Case 1."""
    cart = ready_cart()
    orders = set(at_once(lambda _: outcome(cart), threads=20))
    (order,) = Order.objects.all()
    assert orders == {order.pk}
    assert order.display_id == 1
    assert Payment.objects.count() == 1
    assert Mail.objects.filter(kind="order_placed", about=order.pk).count() == 1


def test_a_stock_of_five_serves_five_of_twenty_carts() -> None:
    """Cases 9 and 21."""
    variant = stocked(5)
    carts = [ready_cart(variant, region_id=None) for _ in range(20)]
    outcomes = Counter(at_once(lambda number: outcome(carts[number]), threads=20))
    assert outcomes["LinesOutOfStock"] == 15
    assert sorted(Order.objects.values_list("display_id", flat=True)) == [1, 2, 3, 4, 5]
    assert InventoryLevel.objects.aggregate(reserved=Sum("reserved_quantity")) == {"reserved": 5}


def without_its_line(cart: Cart, *, later: float) -> str:
    """What becomes of a deletion of the cart's only line, so many seconds later; a conflict is sent again, as above."""
    line_id = cart.items.get().pk
    time.sleep(later)
    for _ in range(_TRIES):
        try:
            retry_on_conflict(lambda: line_removal.remove(actor=shopper(), cart_id=cart.pk, line_id=line_id))
        except Conflict:
            time.sleep(_PAUSE)
            continue
        except CartCompleted:
            return "completed"
        return "deleted"
    return "Conflict"


@pytest.mark.parametrize("provider_id", ["pp_system_default", FAKE])
def test_a_cart_that_loses_its_last_line_meanwhile_is_an_order_or_holds_nothing(
    provider_id: str, settings: Any
) -> None:
    with switched_on(settings):
        for later in (0, 0, 0.005, 0.01, 0.02):  # either is first in some of them
            cart = ready_cart(provider_id=provider_id)
            done, deletion = at_once(
                lambda number, on=cart, later=later: without_its_line(on, later=later) if number else outcome(on),
                threads=2,
            )
            session = PaymentSession.objects.get(collection__cart=cart)
            left = (cart.items.filter(deleted_at=None).count(), Cart.objects.get(pk=cart.pk).total, session.status)
            if deletion == "completed":
                assert (Order.objects.get(cart_id=cart.pk).pk, *left) == (done, 1, 55, "authorized")
            else:
                assert (deletion, done, *left) == ("deleted", "NoItems", 0, 0, "canceled")
                assert not Payment.objects.filter(session=session, canceled_at=None).exists()
