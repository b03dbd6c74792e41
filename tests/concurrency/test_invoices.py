"""Captures of many orders at once: their invoices have all numbers, each once."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.models import Invoice, Order
from orders.payment.order_payments import follow_payments
from payments.models import Payment
from payments.movements import capturing
from payments.providers.base import Declined
from payments.states import Act
from tests.concurrency.crowd import at_once
from tests.concurrency.outcomes import outcome
from tests.factories.carts import PromotionFactory, selling_region
from tests.factories.checkout import checked_out_cart, pay
from tests.orders.changes.shop import goods
from tests.orders.completing import order_of
from tests.orders.invoices.shop import documents, sells
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
ORDERS = 40


@pytest.fixture
def fake(settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def orders(number: int) -> list[Order]:
    """Orders C of the paper: 3 mugs at 10.00 less 10 %, post of 5.00, 20 % on top."""
    region, code = selling_region(tax_rate=20), PromotionFactory().code
    mug = goods("mug", 10, in_stock=3 * number)
    made = []
    for _ in range(number):
        cart = checked_out_cart(NewLineItem(mug.pk, 3), provider_id=FAKE, region_id=region.pk, promo_codes=[code])
        pay(cart, provider_id=FAKE)
        made.append(order_of(Cart.objects.get(pk=cart.pk)))
    return made


@pytest.mark.parametrize("declined", [3, 0])
def test_forty_captures_at_once(fake: FakeProvider, declined: int) -> None:
    """Case 51."""
    sells()
    made = orders(ORDERS)
    payments = [Payment.objects.get(collection__order_id=order.pk).pk for order in made]
    fake.says(Act.CAPTURE, *(Declined("No funds") for _ in range(declined)))
    answers = at_once(
        lambda place: outcome(lambda: capturing.capture(actor=SYSTEM, payment_id=payments[place])), threads=ORDERS
    )
    accepted = ORDERS - declined
    assert Counter(answers)["done"] == accepted
    rows = Invoice.objects.order_by("number")
    assert [row.number for row in rows] == list(range(1, accepted + 1))
    assert {(f"{row.subtotal:.2f}", f"{row.tax_total:.2f}", f"{row.total:.2f}") for row in rows} == {
        ("32.00", "6.40", "38.40")
    }
    assert [row.issued_at for row in rows] == sorted(row.issued_at for row in rows)
    assert list(discrepancies()) == []


def test_what_is_reported_twenty_times_is_documented_once(fake: FakeProvider) -> None:
    sells()
    (order,) = orders(1)
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(collection__order_id=order.pk).pk)
    at_once(lambda _: follow_payments(order.pk), threads=20)
    assert documents(order) == "R1 32.00+6.40"
