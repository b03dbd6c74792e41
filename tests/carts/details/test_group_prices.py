"""Prices that a group of customers has to itself."""

import pytest

from carts.checkout import taxes
from carts.details import ownership
from carts.models import Cart
from customers.models import CustomerGroup
from kit.values.timestamps import now
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.pricing import price

pytestmark = pytest.mark.django_db


def test_they_hold_from_the_take_over_on_while_there_is_such_a_group() -> None:
    mug, ann = make.sold_variant(10), CustomerFactory()
    friends, others = (CustomerGroup.objects.create(name=name) for name in ("Friends", "Others"))
    price(mug, 7, "usd", rules={"customer.groups.id": friends.pk})
    price(mug, 6, "usd", rules={"customer.groups.id": others.pk})
    ann.groups.add(friends)
    cart = make.cart(mug)
    actor = make.shopper(customer_id=ann.pk)
    assert cart.total == 10
    ownership.take_over(actor=actor, cart_id=cart.pk)
    assert Cart.objects.get(pk=cart.pk).total == 7
    CustomerGroup.objects.filter(pk=friends.pk).update(deleted_at=now())
    taxes.calculate(actor=actor, cart_id=cart.pk)
    assert Cart.objects.get(pk=cart.pk).total == 10
