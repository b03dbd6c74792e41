"""A person is erased while they complete their cart, and twice concurrently."""

from collections.abc import Callable
from typing import Any

import pytest

from carts.models import Cart
from customers.models import Customer
from giftcards.verification.verification import discrepancies
from kit.database import locking
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.completion.completing import complete
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.models import Order
from tests.concurrency.crowd import at_once
from tests.factories.carts import shopper
from tests.factories.checkout import ready_cart, stocked
from tests.factories.customers import CustomerFactory
from tests.orders.placed import placed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture(autouse=True)
def _deadlocks_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlocks raise OperationalError, which no test expects, instead of being retried."""
    monkeypatch.setattr(locking, "_RETRIED_STATES", frozenset({"40001"}))
    monkeypatch.setattr(locking, "_CONFLICT_STATES", frozenset({"40001", "55P03"}))


def outcome(verb: Callable[[], object]) -> str:
    """`done`, or the name of the refusal."""
    try:
        verb()
    except DomainError as refusal:
        return type(refusal).__name__
    return "done"


def test_either_the_cart_becomes_an_order_or_the_person_is_gone() -> None:
    goods = stocked(20)
    customers = [CustomerFactory() for _ in range(4)]
    carts = [ready_cart(goods, customer_id=customer.pk) for customer in customers]
    for cart in carts:
        verbs: list[Callable[[], Any]] = [
            lambda cart=cart: complete(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk),
            lambda cart=cart: erase(actor=SYSTEM, person=people.customer(cart.customer_id)),
        ]
        ended = at_once(lambda number, verbs=verbs: outcome(verbs[number]), threads=2)
        erased = Customer.objects.get(pk=cart.customer_id).email is None
        assert ended == (["CartNotFound", "done"] if erased else ["done", "ErasureBlocked"])
        assert Order.objects.filter(cart_id=cart.pk).exists() is not erased
        assert (Cart.objects.get(pk=cart.pk).email is None) is erased
    assert list(discrepancies()) == []


def test_three_times_at_once_is_one_after_the_other() -> None:
    customer = CustomerFactory()
    for _ in range(3):
        placed(customer=customer)
    Order.objects.update(status="completed")
    person = people.customer(customer.pk)
    ended = at_once(lambda _: erase(actor=SYSTEM, person=person).orders, threads=3)
    assert ended == [3, 3, 3]
    assert not Order.objects.filter(erased_at=None).exists()
    assert list(discrepancies()) == []
