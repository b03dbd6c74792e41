"""Carts that many callers complete at once, and many carts that want the same."""

from collections import Counter

import pytest
from django.db.models import Sum

from carts.models import Cart
from catalog.models import InventoryLevel
from kit.errors import Conflict, DomainError
from kit.messages.mails.models import Mail
from orders.models import Order
from payments.models import Payment
from tests.concurrency.crowd import at_once
from tests.factories.checkout import ready_cart, stocked
from tests.orders.completing import completed

pytestmark = pytest.mark.django_db(transaction=True)


def outcome(cart: Cart) -> str:
    """The order's id, or the refusal's class. A conflict is answered 409 and may be sent again: so it is here."""
    for _ in range(50):
        try:
            done = completed(cart)
        except Conflict:
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
