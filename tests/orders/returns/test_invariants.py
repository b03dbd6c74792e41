"""`verify_ledger` is silent about what the verbs write, and names counters, totals and statuses changed by hand."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from giftcards.verification.verification import discrepancies
from orders.models import Order, OrderLineItem, Return, ReturnItem
from tests.factories.carts import sold_variant
from tests.orders.returns.shop import delivered, lines, receive, request

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(db: None) -> Order:
    """Of five units at 10: two requested, one received and one damaged."""
    made = delivered((sold_variant(10), 5))
    receive(request(made, 3), (1, 1))
    request(made, 1)
    return made


def test_what_the_verbs_write_agrees(order: Order) -> None:
    [line] = lines(order)
    counters = (line.return_requested_quantity, line.return_received_quantity, line.return_dismissed_quantity)
    assert (counters, line.total, line.refundable_total) == ((2, 1, 1), 30, 10)
    assert list(discrepancies()) == []


def a_counter(counter: str, units: int, sentence: str) -> Callable[[Order], str]:
    def deed(order: Order) -> str:
        OrderLineItem.objects.filter(order=order).update(**{counter: units})
        return f"Line {lines(order)[0].pk} of order 1 counts {sentence}"

    deed.__name__ = counter
    return deed


def a_total(order: Order) -> str:
    OrderLineItem.objects.filter(order=order).update(placed_total=29)
    return f"Line {lines(order)[0].pk} of order 1 has a total of 30 with 2 of 5 units returned, but was placed with 29"


def a_refundable_total(order: Order) -> str:
    OrderLineItem.objects.filter(order=order).update(refundable_total=31)
    return (
        f"Line {lines(order)[0].pk} of order 1 can be refunded 31 of 30 with 2 units requested for return\n"
        f"Line {lines(order)[0].pk} of order 1 refunds 10 for the next of 1 units, but 31 for all of them\n"
        "Order 1 has 20 of requested returns, but its lines hold -1"
    )


def a_refund_of_a_unit(order: Order) -> str:
    OrderLineItem.objects.filter(order=order).update(refundable_total_per_unit=9)
    return f"Line {lines(order)[0].pk} of order 1 refunds 9 for the next of 1 units, but 10 for all of them"


def requested_goods(order: Order) -> str:
    Order.objects.filter(pk=order.pk).update(requested_return_total=19)
    return "Order 1 has 19 of requested returns, but its lines hold 20"


def return_shipping(order: Order) -> str:
    Order.objects.filter(pk=order.pk).update(return_shipping_due=1)
    return "Order 1 has 1 of return shipping that does not count yet, but its returns hold 0"


def a_status(order: Order) -> str:
    first = order.returns.get(display_id=1)
    Return.objects.filter(pk=first.pk).update(status="requested")
    return f"Return {first.pk} of order 1 is requested with 2 of 3 units received"


BY_HAND = [
    a_counter("return_requested_quantity", 1, "1 units requested for return, but its returns hold 2"),
    a_counter("return_received_quantity", 0, "0 returned units received, but its returns hold 1"),
    a_counter("return_dismissed_quantity", 0, "0 returned units dismissed, but its returns hold 1"),
    a_total,
    a_refundable_total,
    a_refund_of_a_unit,
    requested_goods,
    return_shipping,
    a_status,
]


@pytest.mark.parametrize("deed", BY_HAND, ids=lambda deed: deed.__name__)
def test_what_is_done_by_hand_is_named(order: Order, deed: Callable[[Order], str]) -> None:
    named = deed(order)
    assert "\n".join(discrepancies()).replace(".0000", "") == named


def test_units_beyond_those_of_an_item_are_refused_by_the_database(order: Order) -> None:
    item = ReturnItem.objects.get(of_return__display_id=1)
    for values in ({"received_quantity": 3}, {"arrived_quantity": 2}, {"quantity": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ReturnItem.objects.filter(pk=item.pk).update(**values)
