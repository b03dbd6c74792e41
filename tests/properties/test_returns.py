"""Random returns against a plain re-computation: counters, stock, and amounts in fractions.

Some have shipping at 5 before tax; what is owed is compared for both values of settings.RETURN_COUNTS.
"""

from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from giftcards.verification.verification import discrepancies
from kit.errors import DomainError
from orders.common.summary import pending_difference_of
from orders.models import Order, Return
from orders.returns import cancellation
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.fulfillment import option
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import kit_of
from tests.orders.returns.shop import STAFF, books, delivered, lines, receive, request
from tests.walks import walks

QUANTITIES = (3, 2)
PRICE, TAX = 10, Fraction(1, 5)
NET = Fraction(9)
"""Of each unit, after ten percent off."""
DELIVERY = 5 * (1 + TAX)
units = st.tuples(*(st.integers(0, quantity) for quantity in QUANTITIES))
steps = st.lists(
    st.tuples(st.just("request"), units, st.booleans())
    | st.tuples(st.just("receive"), st.integers(0, 9), st.tuples(units, units))
    | st.tuples(st.just("cancel"), st.integers(0, 9), units),
    max_size=8,
)


class PlainReturn:
    """A return without a database: the units of each line, the received units, and the price of its shipping."""

    def __init__(self, units: tuple[int, ...], *, is_shipped: bool) -> None:
        self.units, self.shipping = units, 5 * (1 + TAX) if is_shipped else Fraction(0)
        self.received, self.damaged, self.canceled = [0, 0], [0, 0], False

    @property
    def left(self) -> list[int]:
        counts = zip(self.units, self.received, self.damaged, strict=True)
        return [0 if self.canceled else wanted - received - damaged for wanted, received, damaged in counts]

    def receive(self, received: tuple[int, ...], damaged: tuple[int, ...]) -> bool:
        wanted = [sum(each) for each in zip(received, damaged, strict=True)]
        if not any(wanted) or any(each > left for each, left in zip(wanted, self.left, strict=True)):
            return False
        self.received = [sum(each) for each in zip(self.received, received, strict=True)]
        self.damaged = [sum(each) for each in zip(self.damaged, damaged, strict=True)]
        return True

    @property
    def shipping_due(self) -> Fraction:
        return Fraction(0) if any(self.received + self.damaged) else self.shipping

    def cancel(self) -> bool:
        allowed = not self.canceled and not any(self.received + self.damaged)
        self.canceled |= allowed
        if allowed:
            self.shipping = Fraction(0)
        return allowed


def counters(made: list[PlainReturn]) -> list[tuple[int, int, int]]:
    return [
        (
            sum(each.left[number] for each in made),
            sum(each.received[number] for each in made),
            sum(each.damaged[number] for each in made),
        )
        for number in range(len(QUANTITIES))
    ]


def is_done(work: Any, *args: Any, **given: Any) -> bool:
    try:
        with transaction.atomic():
            work(*args, **given)
    except DomainError:
        return False
    return True


@pytest.mark.django_db
def test_a_random_walk() -> None:
    kit = kit_of((2, 20), (1, 20), location=StockLocationFactory())
    region, code = selling_region(tax_rate=20), PromotionFactory().code
    order = delivered((kit, 3), (sold_variant(PRICE), 2), region_id=region.pk, promo_codes=[code])
    way = ReturnShipping(option(5, rules=[("is_return", "eq", "true")]).pk)

    @settings(max_examples=walks(30))
    @given(steps)
    def walk_through(walk: list[Any]) -> None:
        with transaction.atomic():
            check(order, walk, way)
            transaction.set_rollback(True)

    walk_through()


def check(order: Order, walk: list[Any], way: ReturnShipping) -> None:
    """Take the steps, each refused where it is against the rules, and compare the books after each."""
    made: list[PlainReturn] = []
    returns: list[Return] = []
    for act, what, more in walk:
        if act == "request":
            taken = [sum(each) for each in counters(made)]
            expected = any(what) and all(
                wanted + gone <= quantity for wanted, gone, quantity in zip(what, taken, QUANTITIES, strict=True)
            )
            details = ReturnDetails(shipping=way if more else None)
            assert is_done(request, order, *what, details=details) == expected
            if expected:
                made.append(PlainReturn(what, is_shipped=more))
                returns.append(order.returns.latest("pk"))
        elif made:
            plain, returned = made[what % len(made)], returns[what % len(made)]
            if act == "cancel":
                assert is_done(cancellation.cancel, actor=STAFF, return_id=returned.pk) == plain.cancel()
            else:
                assert is_done(receive, returned, *zip(*more, strict=True)) == plain.receive(*more)
        compare(order, counters(made), made)
    assert list(discrepancies()) == []


def compare(order: Order, expected: list[tuple[int, int, int]], made: list[PlainReturn]) -> None:
    received = expected[0][1]
    assert books(order)[:2] == (expected, [14 + 2 * received, 17 + received])
    order.refresh_from_db()
    goods = requested_goods = Fraction(0)
    for line, quantity, (requested, *back) in zip(lines(order), QUANTITIES, expected, strict=True):
        kept = quantity - sum(back)
        assert (line.quantity, line.total) == (quantity, kept * NET * (1 + TAX))
        assert line.refundable_total == (kept - requested) * NET * (1 + TAX)
        goods += Fraction(line.total)
        requested_goods += requested * NET * (1 + TAX)
    shipping = DELIVERY + sum(each.shipping for each in made)
    assert (order.item_total, order.shipping_total, order.total) == (goods, shipping, goods + shipping)
    due = sum(each.shipping_due for each in made)
    for counts, waiting in (("received", due), ("requested", requested_goods)):
        with override_settings(RETURN_COUNTS=counts):
            owed = goods + shipping - waiting - Fraction(order.paid_total)
            assert pending_difference_of(order) == max(owed, -Fraction(order.paid_total))
