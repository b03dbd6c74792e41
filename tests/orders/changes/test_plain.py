"""Any change of any order costs what the plain program with fractions says, to the coin."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from carts.arithmetic.adjustments import StoredAdjustment
from carts.arithmetic.line_totals import Line, add_up_lines
from carts.arithmetic.offers import ActivePromotion, OfferRule
from carts.rule_attributes import COLLECTION
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from orders.changes.computation import ComputedLine, ComputedOrder, computed
from orders.changes.order_rows import (
    AddItem,
    AddMethod,
    GrantedPromotion,
    LineDiscount,
    OrderLine,
    OrderMethod,
    PlacedOrder,
    UpdateItem,
)
from orders.changes.refusals import NoItemsLeft
from orders.common.summary import Balance
from tests.carts.promotions.plain import CLASSES, PlainOffer
from tests.orders.changes.build import as_written
from tests.orders.changes.plain import PlainOrderLine, carried, changed
from tests.walks import walks

RATES = [Fraction(rate, 1000) for rate in (50, 70, 190, 200, 255)] + [Fraction(9975, 100_000)]
KINDS = ("tea", "mug", "")


class Drawn:
    """An order of one to five lines with up to three promotions, and a change of it."""

    def __init__(self, random: Random, *, has_returns: bool) -> None:
        self.random = random
        self.exempt = random.random() < 0.2
        self.offers = [self._offer() for _ in range(random.randint(0, 3))]
        self.lines = [self._placed(has_returns=has_returns) for _ in range(random.randint(1, 5))]
        self.fulfilled = [random.randint(line.returned + line.requested, line.quantity) for line in self.lines]
        self.methods = [self._line(1) for _ in range(random.randint(0, 2))]
        self.paid = random.randint(0, 10**4)
        self.updates = {
            index: self._update(line, fulfilled)
            for index, (line, fulfilled) in enumerate(zip(self.lines, self.fulfilled, strict=True))
            if random.random() < 0.6
        }
        self.added = [self._line(random.randint(1, 5)) for _ in range(random.randint(0, 2))]
        self.added_methods = [self._line(1) for _ in range(random.randint(0, 1))]

    def _line(self, quantity: int) -> PlainOrderLine:
        rates = tuple(self.random.sample(RATES, self.random.randint(0, 2)))
        return PlainOrderLine(
            self.random.choice((self.random.randint(0, 20), self.random.randint(0, 5000))), quantity,
            self.random.random() < 0.5, rates, self.exempt, kind=self.random.choice(KINDS),
            is_discountable=self.random.random() < 0.9,
        )  # fmt: skip

    def _placed(self, *, has_returns: bool) -> PlainOrderLine:
        line = self._line(self.random.randint(1, 8))
        left, off = line.price * line.quantity, {}
        for number in range(len(self.offers)):
            if left and self.random.random() < 0.6:
                off[number] = self.random.randint(1, left)
                left -= off[number]
        returned = self.random.randint(0, line.quantity) if has_returns and self.random.random() < 0.4 else 0
        requested = self.random.randint(0, line.quantity - returned) if has_returns else 0
        return replace(line, off=off, returned=returned, requested=requested)

    def _offer(self) -> PlainOffer:
        random = self.random
        target = random.choice(CLASSES)
        buy = random.randint(1, 3) if target == "items" and random.random() < 0.3 else 0
        allocation = random.choice(("each", "each", "across", "once")) if target == "items" and not buy else "each"
        has_most = allocation == "once" or (target == "items" and allocation == "each" and random.random() < 0.3)
        percentage = random.random() < 0.5
        value = Fraction(random.randint(1, 100), 100) if percentage else Fraction(random.randint(1, 900))
        most = random.randint(1, 5) if has_most else None
        return PlainOffer(
            target, percentage, value, random.random() < 0.5, allocation, most, buy, random.randint(1, 2) if buy else 0,
            frozenset({random.choice(KINDS)}) if target == "items" and random.random() < 0.4 else frozenset(),
            frozenset({random.choice(KINDS)}) if buy and random.random() < 0.4 else frozenset(),
        )  # fmt: skip

    def _update(self, line: PlainOrderLine, fulfilled: int) -> tuple[int, int]:
        """Quantity and price."""
        price = line.price if fulfilled or self.random.random() < 0.5 else self.random.randint(0, 5000)
        return self.random.randint(fulfilled, fulfilled + 8), price

    def after(self, *, carry_over: bool) -> list[PlainOrderLine | None]:
        """The lines, None for removed ones, and the added ones."""
        kept = [
            line if index not in self.updates else changed(line, *self.updates[index], self.offers)
            if self.updates[index][0] else None
            for index, line in enumerate(self.lines)
        ] + self.added  # fmt: skip
        staying = [line for line in kept if line is not None]
        again = iter(carried(staying, self.offers) if carry_over else staying)
        return [line and next(again) for line in kept]

    def order(self, code: str) -> PlacedOrder:
        step = money.step(code)
        methods = add_up_lines([_plain(each, step) for each in self.methods], currency_code=code)
        lines = [
            _order_line(str(index), line, step, fulfilled)
            for index, (line, fulfilled) in enumerate(zip(self.lines, self.fulfilled, strict=True))
        ]
        goods, shipping = sum(each.kept.total for each in self.lines), sum(each.kept.total for each in self.methods)
        promotions = [GrantedPromotion(_promotion(*each, step), str(each[0])) for each in enumerate(self.offers)]
        return PlacedOrder(
            "order_1", code, Balance(None, goods * step, shipping * step, 0, self.paid * step, 0, 0, 0), lines,
            [OrderMethod(str(index), totals) for index, totals in enumerate(methods)],
            promotions,
        )  # fmt: skip

    def computed(self, code: str, *, carry_over: bool) -> ComputedOrder:
        step = money.step(code)
        updates = [UpdateItem(str(index), quantity, price * step) for index, (quantity, price) in self.updates.items()]
        added = [
            AddItem(_order_line(str(len(self.lines) + index), line, step)) for index, line in enumerate(self.added)
        ]
        methods = [AddMethod(f"added {index}", _plain(each, step)) for index, each in enumerate(self.added_methods)]
        return computed(self.order(code), [*methods, *updates, *added], carry_over=carry_over)


def _plain(line: PlainOrderLine, step: int) -> Line:
    rates = [int(rate * HUNDRED_PERCENT) for rate in line.rates]
    return Line(
        line.quantity, line.price * step, line.incl, () if line.exempt else rates,
        exempt_rate=sum(rates) if line.exempt else 0,
    )  # fmt: skip


def _order_line(line_id: str, line: PlainOrderLine, step: int, fulfilled: int = 0) -> OrderLine:
    total = line.cost(line.quantity).total * step
    discounts = tuple(
        LineDiscount(
            str(number), str(number), str(number), StoredAdjustment(0, amount * step, line.incl, 0, total, total)
        )
        for number, amount in (line.off or {}).items()
    )
    return OrderLine(
        line_id, line_id, _plain(line, step), total, discounts, fulfilled, fulfilled, line.requested, line.returned,
        is_discountable=line.is_discountable, facts={COLLECTION: frozenset({line.kind})},
    )  # fmt: skip


def _promotion(number: int, offer: PlainOffer, step: int) -> ActivePromotion:
    return ActivePromotion(
        str(number),
        PromotionType.PERCENTAGE if offer.is_percentage else PromotionType.FIXED,
        PromotionTarget(offer.target),
        int(offer.value * HUNDRED_PERCENT) if offer.is_percentage else int(offer.value) * step,
        offer.incl,
        _about(offer.kinds),
        PromotionKind.BUYGET if offer.buy else PromotionKind.STANDARD,
        None if offer.target == "order" else Allocation(offer.allocation),
        offer.most,
        offer.buy,
        offer.get,
        _about(offer.bought_kinds),
    )


def _about(kinds: frozenset[str]) -> Sequence[OfferRule]:
    return [OfferRule(COLLECTION, Comparison.IN, kinds)] if kinds else []


@pytest.mark.parametrize("carry_over", [False, True], ids=["kept", "carried over"])
@pytest.mark.parametrize("code", ["eur", "jpy", "kwd"])
def test_changes_cost_what_fractions_say(code: str, carry_over: bool) -> None:
    for seed in range(walks(100)):
        drawn = Drawn(Random(f"{code} {seed}"), has_returns=not carry_over)  # noqa: S311 - not for secrets
        compare(drawn, code, carry_over=carry_over)


def compare(drawn: Drawn, code: str, *, carry_over: bool) -> None:
    step = money.step(code)
    after, expected = drawn.computed(code, carry_over=carry_over), drawn.after(carry_over=carry_over)
    assert [type(refusal) for refusal in after.refusals] == ([] if any(expected) else [NoItemsLeft])
    assert [line.id for line in after.removed] == [str(index) for index, line in enumerate(expected) if line is None]
    by_id = {line.line.id: line for line in after.lines}
    staying = {str(index): line for index, line in enumerate(expected) if line is not None}
    assert by_id.keys() == staying.keys()
    for line_id, line in staying.items():
        compare_line(by_id[line_id], line, step)
    goods = sum(line.kept.total for line in staying.values())
    shipping = sum(each.kept.total for each in (*drawn.methods, *drawn.added_methods))
    requested = goods - sum(line.left.total for line in staying.values())
    totals, before = after.totals, sum(line.kept.total for line in drawn.lines)
    assert totals.total == totals.item_total + totals.shipping_total == (goods + shipping) * step
    assert totals.subtotal - totals.discount_subtotal + totals.tax_total == totals.total
    assert totals.original_total - totals.discount_total == totals.total
    assert (totals.item_total, after.balance.requested) == (goods * step, requested * step)
    assert after.pending_difference == max(goods + shipping - drawn.paid, -drawn.paid) * step
    again = computed(as_written(drawn.order(code), after), [])
    assert (again.totals, again.balance.requested) == (totals, after.balance.requested)
    assert [each.totals for each in again.lines] == [each.totals for each in after.lines]
    added = sum(each.kept.total for each in drawn.added_methods)
    assert after.difference == (goods + added - before) * step


def compare_line(found: ComputedLine, line: PlainOrderLine, step: int) -> None:
    line_id = found.line.id
    taken = {int(each.promotion_id or ""): each.stored.shown_amount for each in found.line.discounts}
    assert taken == {number: amount * step for number, amount in (line.off or {}).items() if amount}, line_id
    whole, kept, left = line.cost(line.quantity), line.kept, line.left
    assert found.line.placed_total == whole.total * step
    assert found.totals.total == kept.total * step
    assert found.totals.original_total == kept.original_total * step
    assert [each.total for each in found.totals.tax_lines] == [tax * step for tax in kept.taxes]
    assert [each.subtotal for each in found.totals.tax_lines] == [tax * step for tax in kept.taxes_before]
    assert found.totals.refundable_total == left.total * step
    for each in found.line.discounts:
        assert each.stored.counts_as_stated
        assert each.stored.includes_tax == line.incl
    net = sum(each.stored.amount for each in found.line.discounts)
    if line.returned == 0 and found.is_changed:
        assert net == found.totals.discount_subtotal
