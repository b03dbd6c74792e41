"""Random packing, shipping, delivering and canceling against a plain re-computation. Case 30 of orders.md."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from commerce.kit.core.errors import DomainError
from orders.fulfillments import cancellation, delivery, shipping
from orders.models import Fulfillment, Order
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import STAFF, books, kit_of, ordered, pack

QUANTITIES = (3, 2, 2)
REQUIRED = ((1,), (2, 1), ())
"""Pieces of each line's inventory items: one of its own, a kit, and goods whose stock is not managed."""
STOCKED = (2, 9, 9)
"""Of each item. The first may be sold on backorder."""
units = st.tuples(*(st.integers(0, quantity) for quantity in QUANTITIES))
steps = st.lists(
    st.tuples(st.just("pack"), units) | st.tuples(st.sampled_from(["ship", "deliver", "cancel"]), st.integers(0, 9)),
    max_size=12,
)


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


def counters(made: list[PlainFulfillment]) -> list[tuple[int, int, int]]:
    living = [each for each in made if not each.canceled]
    return [
        (
            sum(each.units[number] for each in living),
            sum(each.units[number] for each in living if each.shipped),
            sum(each.units[number] for each in living if each.delivered),
        )
        for number in range(len(QUANTITIES))
    ]


def stock(made: list[PlainFulfillment]) -> list[tuple[int, int]]:
    fulfilled, levels, number = [each[0] for each in counters(made)], [], 0
    for line, items in enumerate(REQUIRED):
        for required in items:
            left = QUANTITIES[line] - fulfilled[line]
            levels.append((STOCKED[number] - fulfilled[line] * required, left * required))
            number += 1
    return levels


def status(made: list[PlainFulfillment]) -> str:
    """By fulfillments, where the shop goes by counters."""
    living = [each for each in made if not each.canceled]
    if not living:
        return "not_fulfilled"
    is_whole = [each[0] for each in counters(made)] == list(QUANTITIES)
    reached: list[tuple[str, Callable[[PlainFulfillment], bool]]] = [
        ("delivered", lambda each: each.delivered),
        ("shipped", lambda each: each.shipped),
        ("fulfilled", lambda each: True),
    ]
    word, test = next((word, test) for word, test in reached if any(map(test, living)))
    return word if is_whole and all(map(test, living)) else f"partially_{word}"


def order() -> Order:
    place = StockLocationFactory()
    single = kit_of((1, STOCKED[0]), location=place)
    single.allow_backorder = True
    single.save()
    kit = kit_of(*((required, there) for required, there in zip(REQUIRED[1], STOCKED[1:], strict=True)), location=place)
    return ordered((single, QUANTITIES[0]), (kit, QUANTITIES[1]), (sold_variant(10), QUANTITIES[2]))


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

    @settings(max_examples=40)
    @given(steps)
    def walk_through(walk: list[tuple[str, Any]]) -> None:
        with transaction.atomic():
            check(placed, walk)
            transaction.set_rollback(True)

    walk_through()


def check(placed: Order, walk: list[tuple[str, Any]]) -> None:
    """Take the steps, each refused where it is against the rules, and compare the books after each."""
    made: list[PlainFulfillment] = []
    ids: list[str] = []
    for act, what in walk:
        if act == "pack":
            left = [quantity - done[0] for quantity, done in zip(QUANTITIES, counters(made), strict=True)]
            expected = any(what) and all(wanted <= there for wanted, there in zip(what, left, strict=True))
            assert is_done(pack, placed, *what) == expected
            if expected:
                made.append(PlainFulfillment(what))
                ids.append(Fulfillment.objects.filter(order=placed).latest("pk").pk)
        elif made:
            number = what % len(made)
            assert is_done(VERBS[act], actor=STAFF, fulfillment_id=ids[number]) == made[number].step(act)
        assert books(placed) == (counters(made), stock(made), status(made))
