"""Refunds by item: what is not packed leaves the order, what was sent comes back, and the cost of both is refunded."""

from decimal import Decimal
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.changes import lifecycle
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.managing import cancellation
from orders.models import GrantedRefund, Order, OrderChange, OrderLineItem, Return, ReturnItem
from tests.factories.actors import staff_actor
from tests.factories.carts import PromotionFactory, selling_region
from tests.factories.customers import CustomerFactory
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.item_refunds.shop import deliver, left, order_b, reason, refund, shown, units
from tests.orders.placed import gift
from tests.orders.returns.shop import paid, request

pytestmark = pytest.mark.django_db


def test_a_bag_that_is_not_packed_leaves_the_order() -> None:
    order = order_b()
    assert outcome(order)[:2] == ("70.59", "0.00")
    told = shown(order, units(order, unpacked=1))
    assert (told.cost, told.amount, told.owed, told.due, told.allowance) == (11_9000, 11_9000, 0, 0, 0)
    assert told.totals[line(order, "bag").pk] == (35_7000, 23_8000)
    made = refund(order, units(order, unpacked=1))
    assert made is not None
    assert (made.amount, made.allowance, made.return_id) == (Decimal("11.90"), 0, None)
    assert left(order)[:4] == ("58.69", "0.00", "partially_refunded", "11.90")
    assert left(order).reserved == {"bag": 2, "box": 1}
    bag = line(order, "bag")
    assert (bag.quantity, bag.total, bag.tax_total) == (2, Decimal("23.80"), Decimal("3.80"))
    change = OrderChange.objects.get()
    assert (change.kind, change.status, change.confirmed_by) == ("edit", "confirmed", STAFF.id)
    assert not Return.objects.exists()


@pytest.mark.parametrize(("is_restocked", "bags"), [(True, 8), (False, 7)])
def test_a_delivered_bag_comes_back(is_restocked: bool, bags: int) -> None:
    order = order_b()
    deliver(order, 3, 1)
    assert left(order).stock == [7, 9]
    wanted = units(order, returned=1, is_restocked=is_restocked)
    assert shown(order, wanted).amount == 11_9000
    made = refund(order, wanted, refund_reason_id=None)
    assert made is not None
    returned = Return.objects.get()
    assert (returned.status, made.return_id, made.amount) == ("received", returned.pk, Decimal("11.90"))
    item = ReturnItem.objects.get()
    assert (item.quantity, item.received_quantity, item.damaged_quantity) == (1, is_restocked, not is_restocked)
    assert left(order)[:4] == ("58.69", "0.00", "partially_refunded", "11.90")
    assert left(order).stock == [bags, 9]
    assert line(order, "bag").quantity == 3
    assert not OrderChange.objects.exists()


def test_units_of_both_kinds_are_refunded_at_once() -> None:
    """Of 3 bags one is delivered, one is packed and one is not: the packed one can be neither."""
    order = order_b()
    deliver(order, 1)
    pack(order, 1)
    made = refund(order, units(order, unpacked=1, returned=1), units(order, "box", unpacked=1))
    assert made is not None
    assert made.amount == Decimal("53.79")  # 2 x 11.90 + 29.99
    assert left(order)[:4] == ("16.80", "0.00", "partially_refunded", "53.79")
    assert left(order).reserved == {"bag": 0, "box": 0}
    assert made.parts.count() == 1
    for wanted, named in (
        (units(order, unpacked=1), "at least 2: 2 units are fulfilled"),
        (units(order, returned=1), "0"),
    ):
        with pytest.raises(DomainError, match=named):
            refund(order, wanted)


def test_less_can_be_refunded_and_the_rest_stays_owed() -> None:
    order = order_b()
    told = shown(order, units(order, unpacked=1), amount=Decimal(10))
    assert (told.cost, told.amount, told.owed) == (11_9000, 10_0000, 1_9000)
    refund(order, units(order, unpacked=1), amount=Decimal(10))
    assert left(order)[1:4] == ("-1.90", "partially_refunded", "10.00")
    assert shown(order, units(order, unpacked=1))[1:5] == (11_9000, 11_9000, 0, 1_9000)  # the rest is not in it


def test_more_than_the_units_cost_is_an_allowance_and_never_more_than_was_paid() -> None:
    order = order_b()
    told = shown(order, units(order, unpacked=1), amount=Decimal(15))
    assert (told.amount, told.allowance, told.owed) == (15_0000, 3_1000, 0)
    for amount, named in ((Decimal("70.60"), "at most 70.59 usd"), (Decimal(0), "greater than 0"), (Decimal(-1), "0")):
        with pytest.raises(DomainError, match=named):
            refund(order, units(order, unpacked=1), amount=amount)
    assert left(order)[:2] == ("70.59", "0.00")


def test_what_was_not_captured_is_not_refunded() -> None:
    """60.00 authorized: a mug less is captured less. With 20.00 captured, a mug less is 28.00 to capture."""
    order = order_a(captured=False)
    assert shown(order, units(order, "mug", unpacked=1))[1:6] == (12_0000, 0, 0, 0, 48_0000)
    assert refund(order, units(order, "mug", unpacked=1)) is None
    assert outcome(order)[:3] == ("48.00", "48.00", "authorized")
    assert not GrantedRefund.objects.exists()
    with pytest.raises(DomainError, match=r"at most 0\.00"):
        refund(order, units(order, "mug", unpacked=1), amount=Decimal(1))


def test_the_customer_gets_what_they_have_paid_too_much() -> None:
    """A scarf of 18.00 was added and not paid: of a tee at 30.00, 12.00 is refunded."""
    order = order_a()
    edit(actor=STAFF, order_id=order.pk, added_items=[NewItem(goods("scarf", 15).pk, 1)])
    assert outcome(order)[:2] == ("78.00", "18.00")
    made = refund(order, units(order, "tee", unpacked=1))
    assert made is not None
    assert (made.amount, outcome(order)[:2]) == (12, ("48.00", "0.00"))


def test_discounts_follow_the_units() -> None:
    """3 mugs at 10.00 less 10 %, 20 % on top: one costs 10.80; two of them at once 21.60."""
    region, code = selling_region(tax_rate=20), PromotionFactory().code
    order = paid((goods("mug", 10), 3), region_id=region.pk, promo_codes=[code])
    deliver(order, 1)
    made = refund(order, units(order, "mug", unpacked=1, returned=1))
    assert made is not None
    assert (made.amount, outcome(order)[:2]) == (Decimal("21.60"), ("16.80", "0.00"))


def test_an_exempt_order_refunds_what_it_cost() -> None:
    customer = CustomerFactory(is_tax_exempt=True)
    region = selling_region(tax_rate=20)
    order = paid((goods("mug", 10), 2), customer=customer, region_id=region.pk)
    made = refund(order, units(order, "mug", unpacked=1))
    assert made is not None
    assert (made.amount, outcome(order)[:2]) == (10, ("15.00", "0.00"))


def test_an_open_change_refuses_units_that_are_not_packed_alone() -> None:
    order = order_b()
    deliver(order, 1)
    lifecycle.begin(actor=STAFF, order_id=order.pk)
    before = left(order)
    with pytest.raises(DomainError, match="already has an existing active order change"):
        refund(order, units(order, unpacked=1, returned=1))
    assert left(order) == before
    assert refund(order, units(order, returned=1)) is not None
    assert OrderChange.objects.get().status == "pending"


def test_what_cannot_be_refunded_by_item() -> None:
    order = paid((goods("bag", 10), 2), (gift(), 1))
    card = OrderLineItem.objects.get(order=order, is_giftcard=True)
    for wanted, named in (
        ([], "at least: .1"),
        ([units(order)], "at least: .1"),
        ([units(order, unpacked=-1, returned=2)], "at least: .1"),
        ([units(order, unpacked=1), units(order, returned=1)], line(order, "bag").pk),
        ([units(order_b(), unpacked=1)], "ordli_"),
        ([units(order, returned=1)], "0"),
        ([units(order, unpacked=3)], "quantity"),
        ([units(order, card.title, unpacked=1)], "gift card"),
        ([units(order, card.title, returned=1)], "gift card"),
    ):
        with pytest.raises(DomainError, match=named):
            refund(order, *wanted)
    whole = order_b()
    with pytest.raises(DomainError, match="no items left: cancel it instead"):
        refund(whole, units(whole, unpacked=3), units(whole, "box", unpacked=1))
    with pytest.raises(DomainError, match="refund_reason_id"):
        refund(whole, units(whole, unpacked=1), refund_reason_id=None)
    with pytest.raises(DomainError, match="has changed in the meantime"):
        refund(whole, units(whole, unpacked=1), version=2)
    assert outcome(whole)[:2] == ("70.59", "0.00")


def test_a_canceled_order_is_not_refunded_by_item() -> None:
    order = order_b()
    cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    with pytest.raises(DomainError, match="canceled"):
        refund(order, units(order, unpacked=1))


def test_each_part_has_its_permission() -> None:
    order = order_b()
    deliver(order, 1)
    may = ["payments.add_refund", "orders.add_orderchange", "orders.add_return", "orders.change_return"]
    wanted = units(order, unpacked=1, returned=1)
    for missing in may:
        actor = staff_actor(*(each for each in may if each != missing))
        with pytest.raises(DomainError, match=missing):
            refund(order, wanted, actor=actor)
    assert refund(order, wanted, actor=staff_actor(*may)) is not None


def test_the_same_digest_refunds_once() -> None:
    order = order_b()
    wanted, digest, why = units(order, unpacked=1), "d" * 64, reason()

    def sent(of: Order, amount: Decimal | None = None) -> GrantedRefund | None:
        return refund(of, wanted, refund_reason_id=why, idempotency_digest=digest, amount=amount)

    first = sent(order)
    assert first is not None
    assert sent(order) == first
    with pytest.raises(DomainError, match="amount"):
        sent(order, Decimal(5))
    with pytest.raises(DomainError, match="Idempotency-Key"):
        sent(order_b())
    assert left(order)[:4] == ("58.69", "0.00", "partially_refunded", "11.90")


@pytest.mark.parametrize("counts", ["requested", "received"])
def test_open_returns_stay_as_they_are(settings: Any, counts: str) -> None:
    """A bag was requested back: another one is refunded by item, and costs the same."""
    settings.RETURN_COUNTS = counts
    order = order_b()
    deliver(order, 3, 1)
    request(order, 1)
    made = refund(order, units(order, returned=1))
    assert made is not None
    assert made.amount == Decimal("11.90")
    bag = line(order, "bag")
    assert (bag.return_requested_quantity, bag.return_received_quantity) == (1, 1)
    assert outcome(order)[1] == {"requested": "-11.90", "received": "0.00"}[counts]
