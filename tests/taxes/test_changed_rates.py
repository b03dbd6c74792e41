"""Rates that change or go while carts, attempts and orders have them: tax lines are copies."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from carts.checkout import taxes
from carts.lines.lines import NewLineItem
from carts.models import Cart, TaxLine
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.errors import Unavailable
from orders.common.errors import TotalChanged
from orders.completion.resuming import resume_all
from orders.fulfillments import delivery
from orders.models import Order, OrderTaxLine
from payments.states import Act
from taxes.editing import tax_rate_editing, tax_region_editing
from taxes.models import TaxRate
from tests.factories.carts import selling_region, shopper, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.factories.taxes import tax_rate
from tests.orders.completing import completed, order_of
from tests.orders.returns.shop import STAFF, lines, pack, receive, request
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def a_cart(**given: Any) -> Cart:
    """2 x 100.00 and 10 % of tax in the United States; the region's own rate is 5 %."""
    tax_rate("us", 10, name="Sales tax")
    region = selling_region(tax_rate=5)
    return ready_cart(NewLineItem(sold_variant(100).pk, 2), region_id=region.pk, shipping=0, **given)


def changed() -> None:
    rate = TaxRate.objects.get()
    tax_rate_editing.VERBS.put(
        actor=SYSTEM, states=[tax_rate_editing.VERBS.state(id=rate.pk, rate=Decimal(20), name="Other")]
    )


def deleted() -> None:
    tax_rate_editing.VERBS.delete(actor=SYSTEM, ids=[TaxRate.objects.get().pk])


def region_deleted() -> None:
    tax_region_editing.VERBS.delete(actor=SYSTEM, ids=[TaxRate.objects.get().tax_region_id])


CHANGES = [
    pytest.param(changed, Decimal(240), id="changed"),
    pytest.param(deleted, Decimal(210), id="deleted"),
    pytest.param(region_deleted, Decimal(210), id="region deleted"),
]
"""With the total of the cart from then on."""


@pytest.mark.parametrize(("change", "total"), CHANGES)
def test_an_open_cart_takes_the_change_with_its_next_refresh(change: Callable[[], None], total: Decimal) -> None:
    cart = a_cart()
    change()
    cart.refresh_from_db()
    assert cart.total == 220
    taxes.calculate(actor=shopper(), cart_id=cart.pk)
    cart.refresh_from_db()
    assert cart.total == total
    assert TaxLine.objects.not_deleted().filter(item__cart=cart).count() == 1


@pytest.mark.parametrize(("change", "total"), CHANGES)
def test_no_order_is_placed_at_a_total_that_was_not_shown(change: Callable[[], None], total: Decimal) -> None:
    cart = a_cart()
    change()
    with pytest.raises(TotalChanged):
        completed(cart)
    cart.refresh_from_db()
    assert (cart.total, Order.objects.count()) == (total, 0)
    pay(cart)
    assert order_of(cart).total == total


@pytest.mark.parametrize(("change", "total"), CHANGES)
def test_a_started_completion_keeps_its_taxes(fake: FakeProvider, change: Callable[[], None], total: Decimal) -> None:
    cart = a_cart(provider_id=FAKE)
    fake.loses_answers(Act.AUTHORIZE)
    with pytest.raises(Unavailable):
        completed(cart)
    change()
    resume_all()
    order = Order.objects.get(cart_id=cart.pk)
    assert (order.total, order.original_order_total) == (220, 220)
    [tax] = OrderTaxLine.objects.filter(item__order=order)
    assert (tax.description, tax.rate, tax.total) == ("Sales tax", 10, 20)


@pytest.mark.parametrize(("change", "total"), CHANGES)
def test_a_placed_order_keeps_its_taxes_and_refunds_them(change: Callable[[], None], total: Decimal) -> None:
    order = order_of(a_cart())
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 2).pk)
    change()
    assert lines(order)[0].refundable_total_per_unit == 110
    receive(request(order, 1), 1)
    order.refresh_from_db()
    [tax] = OrderTaxLine.objects.filter(item__order=order)
    assert (order.total, tax.description, tax.rate, tax.total) == (110, "Sales tax", 10, 10)
    assert list(discrepancies()) == []
