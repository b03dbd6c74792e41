"""Random orders, refunded by item until nothing is left: the plain program with fractions says what each unit costs."""

from decimal import Decimal
from random import Random

import pytest

from kit.values.money import stored
from orders.exchanges.refunds_by_item import RefundedUnits, preview, refund_items
from orders.fulfillments import delivery
from orders.models import GrantedRefund, Order, OrderLineItem
from orders.refunds.sources import refundable_of
from payments.models import Payment
from payments.movements import capturing
from tests.conftest import MakeOnce
from tests.factories.checkout import pay
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.item_refunds.shop import reason
from tests.orders.returns.random_orders import RandomCarts, left
from tests.orders.returns.test_refund_walks import check_paid_back, refund, shipping_of, unit_refunds
from tests.walks import LONG

pytestmark = [pytest.mark.every(4), pytest.mark.once, pytest.mark.django_db]
ORDERS = 200 if LONG else 40


@pytest.fixture(scope="module")
def shop(make_once: MakeOnce) -> RandomCarts:
    make_once(reason)
    return make_once(lambda: RandomCarts(Random(0)))  # noqa: S311 - each test draws its own


@pytest.mark.parametrize("seed", range(ORDERS))
def test_each_unit_refunds_what_it_cost(shop: RandomCarts, seed: int) -> None:
    """Some units are delivered, the others are not packed; what is left in the end is the shipping."""
    random = Random(seed)  # noqa: S311 - the same orders each time
    cart, credit = shop.drawn_by(random).shipped_cart(with_card=seed % 2 == 0, with_credit=seed % 4 < 2)
    if cart.total:
        pay(cart)
    made = order_of(cart)
    for payment in Payment.objects.filter(collection__order_id=made.pk):
        capturing.capture(actor=STAFF, payment_id=payment.pk)
    packed = [random.randint(place == 0, line.quantity) for place, line in enumerate(lines(made))]  # one line stays
    delivery.deliver(actor=STAFF, fulfillment_id=pack(made, *packed).pk)
    made.refresh_from_db()
    goods, refunded = made.item_total, Decimal(0)
    while wanted := chosen(random, made):
        expected = cost(made, wanted)
        assert preview(actor=STAFF, order_id=made.pk, units=wanted, refund_reason_id=reason()).cost == stored(expected)
        refund_id = refund_items(actor=STAFF, order_id=made.pk, units=wanted, refund_reason_id=reason())
        part = GrantedRefund.objects.filter(pk=refund_id).first()
        assert (part.amount, part.allowance) == (expected, 0) if part else expected == 0
        refunded += expected
        made.refresh_from_db()
        assert (made.item_total, made.allowance_total) == (goods - refunded, 0)
    assert (refunded, made.item_total) == (goods, 0)
    shipping = shipping_of(made)
    assert refundable_of(made.pk) == shipping
    refund(made, shipping)
    check_paid_back(made, credit)


def lines(made: Order) -> list[OrderLineItem]:
    return list(OrderLineItem.objects.not_deleted().filter(order=made).order_by("pk"))


def chosen(random: Random, made: Order) -> list[RefundedUnits]:
    """Some of the units that are left, at least one; nothing if none are."""
    can = {line.pk: (line.quantity - line.fulfilled_quantity, sent(line)) for line in lines(made)}
    while any(map(any, can.values())):
        drawn = {key: (random.randint(0, off), random.randint(0, back)) for key, (off, back) in can.items()}
        if any(map(any, drawn.values())):
            return [
                RefundedUnits(key, off, back, is_restocked=random.random() < 0.5)
                for key, (off, back) in drawn.items()
                if off or back
            ]
    return []


def sent(line: OrderLineItem) -> int:
    """Units that can still come back."""
    return int(line.delivered_quantity - (line.quantity - left(line)))


def cost(made: Order, wanted: list[RefundedUnits]) -> Decimal:
    """What the next units of each line refund, as the line is stored by now."""
    units = {each.line_id: each.unpacked + each.returned for each in wanted}
    total = Decimal(0)
    for line in lines(made):
        gone = line.quantity - left(line)
        total += sum(unit_refunds(line)[gone : gone + units.get(line.pk, 0)])
    return total
