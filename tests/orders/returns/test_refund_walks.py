"""Random orders, returned piece by piece and by several returns at once: lines refund exactly what they cost.

What each unit refunds, the plain program with fractions says.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from carts.models import Cart
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.values.money import stored
from orders.fulfillments import delivery
from orders.models import Order, OrderLineItem
from orders.refunds import creation as refunds
from orders.refunds.sources import refundable_of
from payments.models import Payment
from payments.movements import capturing
from tests.carts.money.plain import PlainLine
from tests.carts.money.plain import refunds as plain_refunds
from tests.factories.checkout import pay
from tests.factories.payments import refund_reason
from tests.orders.completing import order_of
from tests.orders.returns.random_orders import RandomCarts, left
from tests.orders.returns.shop import STAFF, lines, pack, receive, request
from tests.walks import LONG

pytestmark = [pytest.mark.once, pytest.mark.django_db]
ORDERS = 200 if LONG else 40


def unit_refunds(line: OrderLineItem) -> list[Decimal]:
    """What each unit of the placed line refunds, one after another."""
    rates = tuple(Fraction(stored(tax.rate), 100_0000) for tax in line.tax_lines.order_by("pk"))
    plain = PlainLine(stored(line.unit_price) // 100, line.quantity, line.is_tax_inclusive, rates)
    taken = sum(stored(each.stated_amount) for each in line.adjustments.all()) // 100
    return [Decimal(cents) / 100 for cents in plain_refunds(plain, taken)]


@pytest.mark.parametrize("seed", range(ORDERS))
def test_lines_refund_exactly_what_they_cost(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - the same orders each time
    made = delivered(RandomCarts(random).shipped_cart(with_card=seed % 2 == 0))
    by_line = {line.pk: unit_refunds(line) for line in lines(made)}
    for line in lines(made):
        assert sum(by_line[line.pk]) == line.placed_total == line.total
    goods = [made.item_total]
    while any(left(line) for line in lines(made)):
        begun = []
        for _ in range(random.randint(1, 2)):  # several returns at once
            wanted = [min(left(line), random.randint(0, 2)) for line in lines(made)]
            if any(wanted):
                check_next(made, by_line)
                begun.append((request(made, *wanted), wanted))
        for returned, wanted in random.sample(begun, len(begun)):
            receive(returned, *wanted)
        made.refresh_from_db()
        goods.append(made.item_total)
        check_next(made, by_line)
    assert sum(before - after for before, after in pairwise(goods)) == sum(map(sum, by_line.values()))
    refund_the_rest(made)


def delivered(cart: Cart) -> Order:
    """The captured order of the cart, delivered."""
    if cart.total:
        pay(cart)
    made = order_of(cart)
    for payment in Payment.objects.filter(collection__order_id=made.pk):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=None)
    packed = pack(made, *(line.quantity for line in lines(made)))
    delivery.deliver(actor=STAFF, fulfillment_id=packed.pk)
    made.refresh_from_db()
    return made


def check_next(made: Order, by_line: dict[str, list[Decimal]]) -> None:
    """Each line shows what its units that are left refund, and the next one of them."""
    for line in lines(made):
        units = by_line[line.pk][line.quantity - left(line) :]
        assert (line.refundable_total, line.refundable_total_per_unit) == (sum(units), units[0] if units else 0)


def refund_the_rest(made: Order) -> None:
    """With shipping, cards and credit, what is refunded is exactly what was paid."""
    if amount := refundable_of(made.pk):
        refunds.create(actor=SYSTEM, order_id=made.pk, amount=amount, refund_reason_id=refund_reason().pk)
        made.refresh_from_db()
    assert made.refunded_total + made.credit_refunded_total == made.paid_total + made.credit_line_total
    assert refundable_of(made.pk) == 0
    assert list(discrepancies()) == []
