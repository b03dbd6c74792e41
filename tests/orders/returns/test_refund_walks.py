"""Random orders, returned piece by piece and by several returns at once: lines refund exactly what they cost.

With the shipping, payment, gift card and store credit get back exactly what they paid. What each unit refunds, the
plain program with fractions says.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from carts.models import Cart
from giftcards.models import StoreCreditAccount
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.values.money import stored
from orders.fulfillments import delivery
from orders.models import Order, OrderLineItem, OrderShippingMethod
from orders.refunds import creation as refunds
from orders.refunds.sources import refundable_of
from payments.models import Payment, RefundReason
from payments.movements import capturing
from tests.carts.money.plain import PlainLine
from tests.carts.money.plain import refunds as plain_refunds
from tests.conftest import MakeOnce
from tests.factories.checkout import pay
from tests.factories.payments import refund_reason
from tests.orders.completing import order_of
from tests.orders.returns.random_orders import RandomCarts, left
from tests.orders.returns.shop import STAFF, lines, pack, receive, request
from tests.walks import LONG

pytestmark = [pytest.mark.every(4), pytest.mark.once, pytest.mark.django_db]
ORDERS = 200 if LONG else 40


@pytest.fixture(scope="module")
def shop(make_once: MakeOnce) -> RandomCarts:
    make_once(refund_reason)
    return make_once(lambda: RandomCarts(Random(0)))  # noqa: S311 - each test draws its own


def rates_of(taxed: OrderLineItem | OrderShippingMethod) -> tuple[Fraction, ...]:
    return tuple(Fraction(stored(tax.rate), 100_0000) for tax in taxed.tax_lines.order_by("pk"))


def unit_refunds(line: OrderLineItem) -> list[Decimal]:
    """What each unit of the placed line refunds, one after another."""
    plain = PlainLine(stored(line.unit_price) // 100, line.quantity, line.is_tax_inclusive, rates_of(line))
    taken = sum(stored(each.stated_amount) for each in line.adjustments.all()) // 100
    return [Decimal(cents) / 100 for cents in plain_refunds(plain, taken)]


def shipping_of(made: Order) -> Decimal:
    """What the order's shipping at 4.95 costs."""
    method = made.shipping_methods.get()
    [cents] = plain_refunds(PlainLine(495, 1, method.is_tax_inclusive, rates_of(method)), 0)
    return Decimal(cents) / 100


@pytest.mark.parametrize("seed", range(ORDERS))
def test_lines_refund_exactly_what_they_cost(shop: RandomCarts, seed: int) -> None:
    """Of orders that a gift card has paid in part, store credit, both or neither."""
    random = Random(seed)  # noqa: S311 - the same orders each time
    cart, credit = shop.drawn_by(random).shipped_cart(with_card=seed % 2 == 0, with_credit=seed % 4 < 2)
    made = delivered(cart)
    by_line = {line.pk: unit_refunds(line) for line in lines(made)}
    for line in lines(made):
        assert sum(by_line[line.pk]) == line.placed_total == line.total
    shipping, cost = shipping_of(made), sum(map(sum, by_line.values()))
    assert made.paid_total + made.credit_line_total == cost + shipping
    goods, refunded = [made.item_total], Decimal(0)
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
        if random.random() < 0.5:
            refunded += refund(made, returned_value(made, by_line) - refunded)
    assert sum(before - after for before, after in pairwise(goods)) == cost
    refund(made, cost - refunded)
    assert refundable_of(made.pk) == shipping
    refund(made, shipping)
    check_paid_back(made, credit)


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


def returned_value(made: Order, by_line: dict[str, list[Decimal]]) -> Decimal:
    """What the units that have come back refund."""
    return sum((sum(by_line[line.pk][: line.quantity - left(line)]) for line in lines(made)), Decimal(0))


def refund(made: Order, amount: Decimal) -> Decimal:
    if amount:
        reason = RefundReason.objects.get()
        refunds.create(actor=SYSTEM, order_id=made.pk, amount=amount, refund_reason_id=reason.pk)
        made.refresh_from_db()
    return amount


def check_paid_back(made: Order, credit: int) -> None:
    """The payment and each account have back what they paid. credit: what the accounts and the card had before."""
    assert (made.refunded_total, made.credit_refunded_total) == (made.paid_total, made.credit_line_total)
    assert refundable_of(made.pk) == 0
    assert sum(account.balance for account in StoreCreditAccount.objects.all()) == credit
    assert list(discrepancies()) == []
