"""Random packing, shipping, delivering and canceling against a plain re-computation.

Fulfillments are canceled, and the order itself. One of its lines is not shipped: it cannot be packed with the others.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.errors import DomainError
from orders.fulfillments import cancellation, delivery, shipping
from orders.managing import cancellation as order_cancellation
from orders.models import Fulfillment, Order
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory
from tests.factories.products import ProductFactory
from tests.orders.fulfillments.shop import STAFF, books, kit_of, ordered, pack
from tests.walks import walks

QUANTITIES = (3, 2, 2, 2)
REQUIRED = ((1,), (2, 1), (), ())
"""Pieces of each line's inventory items: one of its own, a kit, goods whose stock is not managed, and gift cards."""
DIGITAL = 3
"""The number of the line that needs no shipping."""
STOCKED = (2, 9, 9)
"""Of each item. The first may be sold on backorder."""
*shipped, digital = (st.integers(0, quantity) for quantity in QUANTITIES)
units = st.one_of(
    st.tuples(*shipped, st.just(0)), st.tuples(*(st.just(0) for _ in shipped), digital), st.tuples(*shipped, digital)
)
moves = st.tuples(st.sampled_from(["ship", "deliver", "cancel"]), st.integers(0, 9))
CANCEL_ORDER: tuple[str, Any] = ("cancel_order", None)
steps = st.lists(
    st.one_of(st.tuples(st.just("pack"), units), st.tuples(st.just("pack"), units), moves, moves, moves), max_size=12
)
endings = st.sampled_from([[], [], [CANCEL_ORDER], [CANCEL_ORDER, CANCEL_ORDER, ("pack", (1, 0, 0, 0))]])


class PlainFulfillment:
    """What a fulfillment is, without a database."""

    def __init__(self, units: tuple[int, ...]) -> None:
        self.units, self.shipped, self.delivered, self.canceled = units, False, False, False

    def step(self, act: str) -> bool:
        """Whether the step is allowed; then it is taken."""
        if self.canceled or self.delivered or (self.shipped and act != "deliver"):
            return False
        setattr(self, {"ship": "shipped", "deliver": "delivered", "cancel": "canceled"}[act], True)
        return True


class PlainOrder:
    """Its fulfillments, and whether it is canceled."""

    def __init__(self) -> None:
        self.made: list[PlainFulfillment] = []
        self.is_canceled = False

    @property
    def living(self) -> list[PlainFulfillment]:
        return [each for each in self.made if not each.canceled]

    def pack(self, units: tuple[int, ...]) -> bool:
        left = [quantity - done[0] for quantity, done in zip(QUANTITIES, self.counters(), strict=True)]
        is_mixed = bool(units[DIGITAL]) and any(units[:DIGITAL])
        is_there = all(wanted <= there for wanted, there in zip(units, left, strict=True))
        if self.is_canceled or is_mixed or not is_there or not any(units):
            return False
        self.made.append(PlainFulfillment(units))
        return True

    def cancel(self) -> bool:
        if self.is_canceled or any(each.shipped or each.delivered for each in self.made):
            return False
        self.is_canceled = True
        for each in self.living:
            each.step("cancel")
        return True

    def counters(self) -> list[tuple[int, int, int]]:
        return [
            (
                sum(each.units[number] for each in self.living),
                sum(each.units[number] for each in self.living if each.shipped),
                sum(each.units[number] for each in self.living if each.delivered),
            )
            for number in range(len(QUANTITIES))
        ]

    def stock(self) -> list[tuple[int, int]]:
        fulfilled, levels, number = [each[0] for each in self.counters()], [], 0
        for line, items in enumerate(REQUIRED):
            for required in items:
                left = 0 if self.is_canceled else QUANTITIES[line] - fulfilled[line]
                levels.append((STOCKED[number] - fulfilled[line] * required, left * required))
                number += 1
        return levels

    def status(self) -> str:
        """By fulfillments, where the shop goes by counters."""
        if self.is_canceled:
            return "canceled"
        if not self.living:
            return "not_fulfilled"
        is_whole = [each[0] for each in self.counters()] == list(QUANTITIES)
        reached: list[tuple[str, Callable[[PlainFulfillment], bool]]] = [
            ("delivered", lambda each: each.delivered),
            ("shipped", lambda each: each.shipped),
            ("fulfilled", lambda each: True),
        ]
        word, test = next((word, test) for word, test in reached if any(map(test, self.living)))
        are_there = all(each.units[DIGITAL] or test(each) for each in self.living)
        return word if is_whole and are_there else f"partially_{word}"


def order() -> Order:
    place = StockLocationFactory()
    single = kit_of((1, STOCKED[0]), location=place)
    single.allow_backorder = True
    single.save()
    kit = kit_of(*((required, there) for required, there in zip(REQUIRED[1], STOCKED[1:], strict=True)), location=place)
    gift = sold_variant(25, product=ProductFactory(is_giftcard=True))
    return ordered(*zip((single, kit, sold_variant(10), gift), QUANTITIES, strict=True))


VERBS: dict[str, Callable[..., Any]] = {
    "ship": shipping.ship,
    "deliver": delivery.deliver,
    "cancel": cancellation.cancel,
}


def is_done(work: Callable[..., Any], *args: Any, **given: Any) -> bool:
    try:
        with transaction.atomic():
            work(*args, **given)
    except DomainError:
        return False
    return True


@pytest.mark.django_db(transaction=True)
def test_a_random_walk() -> None:
    placed = order()

    @settings(max_examples=walks(50))
    @given(steps, endings, moves)
    def walk_through(walk: list[tuple[str, Any]], ending: list[tuple[str, Any]], last: tuple[str, Any]) -> None:
        with transaction.atomic():
            check(placed, [*walk, *ending, last])
            transaction.set_rollback(True)

    walk_through()


def check(placed: Order, walk: list[tuple[str, Any]]) -> None:
    """Take the steps, each refused where it is against the rules, and compare the books after each."""
    plain = PlainOrder()
    ids: list[str] = []
    for act, what in walk:
        if act == "pack":
            is_packed = plain.pack(what)
            assert is_done(pack, placed, *what) == is_packed
            if is_packed:
                ids.append(Fulfillment.objects.filter(order=placed).latest("pk").pk)
        elif act == "cancel_order":
            assert is_done(order_cancellation.cancel, actor=STAFF, order_id=placed.pk) == plain.cancel()
        elif ids:
            number = what % len(ids)
            assert is_done(VERBS[act], actor=STAFF, fulfillment_id=ids[number]) == plain.made[number].step(act)
        assert books(placed) == (plain.counters(), plain.stock(), plain.status())
