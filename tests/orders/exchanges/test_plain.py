"""Any exchange and any claim costs what the plain program with fractions says, to the coin; undone, nothing is left."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from kit.values import money
from orders.changes.computation import ComputedOrder, computed
from orders.changes.order_rows import (
    Action,
    AddItem,
    AddMethod,
    ClaimUnits,
    OrderLine,
    PlacedOrder,
    RemoveMethod,
    ReturnUnits,
    UndoUnits,
    UpdateItem,
)
from tests.carts.money.plain import rounded, shared
from tests.orders.changes.build import as_written
from tests.orders.changes.plain import PlainOrderLine
from tests.orders.changes.test_plain import Drawn, _order_line, _plain
from tests.walks import walks


class DrawnExchange(Drawn):
    """agreed: of the requested units of each line. back, claimed: units by line. replaced: by added line, another."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, has_returns=True)
        self.updates = {}
        self.agreed = [random.randint(0, line.requested) for line in self.lines]
        left = [
            fulfilled - line.returned - line.requested
            for line, fulfilled in zip(self.lines, self.fulfilled, strict=True)
        ]
        self.back = [random.randint(0, units) for units in left]
        self.claimed = [random.choice((0, random.randint(0, units))) for units in left]
        self.replaced = {
            place: random.randrange(len(self.lines)) for place in range(len(self.added)) if random.random() < 0.5
        }
        for place, old in self.replaced.items():
            line = self.lines[old]
            self.added[place] = replace(line, quantity=random.randint(1, 5), off=None, returned=0, requested=0)

    def moved(self, place: int) -> int:
        """Units of the line that leave the customer's order."""
        return max(self.back[place], self.claimed[place])

    def counted(self, place: int, *, after: bool) -> PlainOrderLine:
        """The line without the units that were returned, or count as such."""
        line, units = self.lines[place], self.agreed[place] + (self.moved(place) if after else 0)
        return replace(line, returned=line.returned + units)

    def expected_added(self) -> list[PlainOrderLine]:
        return [
            replace(line, off=self._off(line, self.replaced[place])) if place in self.replaced else line
            for place, line in enumerate(self.added)
        ]

    def _off(self, added: PlainOrderLine, place: int) -> dict[int, int]:
        """What the discounts of the replaced units take off the added ones."""
        old, claimed = self.lines[place], self.moved(place)
        whole = sum((old.off or {}).values())
        before = old.quantity - old.returned - self.agreed[place]
        if not claimed:
            before = claimed = old.quantity

        def of(units: int) -> int:
            return min(rounded(Fraction(whole * units, old.quantity)), old.price * units)

        taken = rounded(Fraction((of(before) - of(before - claimed)) * added.quantity, claimed))
        parts = {number: Fraction(amount) for number, amount in (old.off or {}).items() if amount}
        taken = min(taken, old.price * added.quantity)
        return dict(zip(parts, shared(taken, list(parts.values())), strict=True)) if taken else {}

    def order(self, code: str) -> PlacedOrder:
        placed = super().order(code)
        lines = [
            replace(line, return_agreed_quantity=agreed, returnable=line.plain.quantity, claimable=line.plain.quantity)
            for line, agreed in zip(placed.lines, self.agreed, strict=True)
        ]
        step = money.step(code)
        held = [line.kept.total - self.counted(place, after=False).kept.total for place, line in enumerate(self.lines)]
        requested = sum(line.kept.total - line.left.total for line in self.lines)
        balance = placed.balance._replace(agreed=sum(held) * step, requested=requested * step)
        return replace(placed, lines=lines, balance=balance)

    def exchanged(self, code: str) -> ComputedOrder:
        step = money.step(code)
        returned = [ReturnUnits(str(place), units) for place, units in enumerate(self.back) if units]
        claimed = [ClaimUnits(str(place), units) for place, units in enumerate(self.claimed) if units]
        added = [AddItem(self._new(place, step), self._named(place)) for place in range(len(self.added))]
        methods = [AddMethod(f"added {index}", _plain(each, step)) for index, each in enumerate(self.added_methods)]
        return computed(self.order(code), [*returned, *claimed, *added, *methods], of_edit=False)

    def undone(self, code: str, after: ComputedOrder) -> ComputedOrder:
        units = after.units
        undone: list[Action] = [UpdateItem(f"added {place}", 0) for place in range(len(self.added))]
        undone += [RemoveMethod(f"added {index}") for index in range(len(self.added_methods))]
        for line_id in {*units.returned, *units.written_off}:
            undone.append(UndoUnits(line_id, units.returned.get(line_id, 0), units.written_off.get(line_id, 0)))
        return computed(as_written(self.order(code), after), undone, of_edit=False)

    def _new(self, place: int, step: int) -> OrderLine:
        return _order_line(f"added {place}", self.added[place], step)

    def _named(self, place: int) -> str | None:
        return str(self.replaced[place]) if place in self.replaced else None


@pytest.mark.parametrize("code", ["eur", "jpy", "kwd"])
def test_exchanges_cost_what_fractions_say(code: str) -> None:
    for seed in range(walks(100)):
        compare(DrawnExchange(Random(f"exchange {code} {seed}")), code)  # noqa: S311 - not for secrets


def compare(drawn: DrawnExchange, code: str) -> None:
    step = money.step(code)
    after = drawn.exchanged(code)
    assert not after.refusals
    places = range(len(drawn.lines))
    before, counted = (
        sum(drawn.counted(place, after=after_it).kept.total for place in places) for after_it in (False, True)
    )
    added = sum(line.cost(line.quantity).total for line in drawn.expected_added())
    shipping, new = (sum(each.kept.total for each in methods) for methods in (drawn.methods, drawn.added_methods))
    worth = counted + added + shipping + new
    assert after.pending_difference == max(worth - drawn.paid, -drawn.paid) * step
    assert after.difference == (worth - before - shipping) * step
    assert after.balance.goods - after.balance.agreed == (counted + added) * step
    for place in places:
        found = next(each for each in after.lines if each.line.id == str(place))
        off = max(drawn.claimed[place] - drawn.back[place], 0)
        line = drawn.lines[place]
        gone = replace(line, returned=line.returned + off, requested=line.requested + drawn.back[place])
        assert (found.totals.total, found.totals.refundable_total) == (gone.kept.total * step, gone.left.total * step)
        assert (found.line.returned_quantity, found.line.return_requested_quantity) == (gone.returned, gone.requested)
    for line, found in zip(drawn.expected_added(), [each for each in after.lines if each.is_new], strict=True):
        taken = {int(each.promotion_id or ""): each.stored.shown_amount for each in found.line.discounts}
        assert taken == {number: amount * step for number, amount in (line.off or {}).items() if amount}
    undone = drawn.undone(code, after)
    order = drawn.order(code)
    assert (undone.balance, undone.difference) == (order.balance, -after.difference)
    assert [replace(each.line, facts={}) for each in undone.lines] == [replace(line, facts={}) for line in order.lines]
