"""What a cart costs by our decisions, with fractions: a program of its own, which imports nothing of the shop.

Amounts are in coins: whole numbers of the smallest amount that a currency pays. Rates and percentages are fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class PlainLine:
    """price: of one unit, in coins. rates: 1/5 for 20 %. exempt: whether its customer owes none of them."""

    price: int
    quantity: int
    incl: bool = False
    rates: tuple[Fraction, ...] = ()
    product: str | None = None
    is_discountable: bool = True
    exempt: bool = False

    @property
    def factor(self) -> Fraction:
        return 1 + sum(self.rates)


@dataclass(frozen=True)
class PlainPromotion:
    """value: coins off, or 1/10 for 10 %, with is_percentage."""

    is_percentage: bool
    is_for_order: bool
    value: Fraction
    incl: bool = False
    products: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PlainCost:
    """taken: by the index of the promotion. taxes, taxes_before: of each rate, after discounts and before them."""

    total: int
    original_total: int
    taken: dict[int, int]
    taxes: list[int]
    taxes_before: list[int]


def rounded(exact: Fraction | int) -> int:
    """Half-up, to whole coins."""
    return floor(exact + HALF)


def shared(total: int, weights: Sequence[int | Fraction]) -> list[int]:
    """By largest remainder, ties to the earlier."""
    if not total:
        return [0 for _ in weights]
    exact = [Fraction(total) * weight / sum(weights) for weight in weights]
    parts = [floor(each) for each in exact]
    remainders = sorted((-(each - part), index) for index, (each, part) in enumerate(zip(exact, parts, strict=True)))
    for _, index in remainders[: total - sum(parts)]:
        parts[index] += 1
    return parts


def costs(lines: Sequence[PlainLine], promotions: Sequence[PlainPromotion]) -> list[PlainCost]:
    """What each line costs."""
    left = [line.price * line.quantity for line in lines]
    taken: list[dict[int, int]] = [{} for _ in lines]
    by_order = sorted(enumerate(promotions), key=lambda each: _class(each[1]))
    for index, promotion in by_order:
        open_to_it = [_left(promotion, line, amount) for line, amount in zip(lines, left, strict=True)]
        for place, amount in enumerate(_off(promotion, lines, open_to_it)):
            left[place] -= amount
            if amount:
                taken[place][index] = amount
    return [_cost(line, amount, parts) for line, amount, parts in zip(lines, left, taken, strict=True)]


def _class(promotion: PlainPromotion) -> tuple[bool, bool]:
    """An amount off the order for some products is one off products."""
    return promotion.is_for_order and not promotion.products, not promotion.is_percentage


def refunds(line: PlainLine, taken: int) -> list[int]:
    """What each unit refunds, if all are returned one by one."""
    kept = []
    for units in range(line.quantity, -1, -1):
        stated = line.price * units - rounded(Fraction(taken * units, line.quantity))
        kept.append(_cost(line, stated, {}).total)
    return [more - fewer for more, fewer in pairwise(kept)]


def _left(promotion: PlainPromotion, line: PlainLine, left: int) -> int:
    is_for = not promotion.products or line.product in promotion.products
    return left if is_for and line.is_discountable else 0


def _off(promotion: PlainPromotion, lines: Sequence[PlainLine], left: Sequence[int]) -> list[int]:
    if promotion.is_percentage and not promotion.is_for_order:
        return [rounded(promotion.value * amount) for amount in left]
    if promotion.is_percentage:
        return shared(rounded(promotion.value * sum(left)), left)
    if not promotion.is_for_order:
        return [
            min(rounded(_said(promotion.value * line.quantity, line, promotion.incl, line.incl)), amount)
            for line, amount in zip(lines, left, strict=True)
        ]
    weights = [
        rounded(_said(amount, line, line.incl, promotion.incl)) for line, amount in zip(lines, left, strict=True)
    ]
    shares = shared(min(rounded(promotion.value), sum(weights)), weights)
    return [
        amount if weight and share == weight else rounded(_said(share, line, promotion.incl, line.incl))
        for line, amount, weight, share in zip(lines, left, weights, shares, strict=True)
    ]


def _said(amount: int | Fraction, line: PlainLine, has_tax: bool, wants_tax: bool) -> Fraction:
    """The amount in other terms."""
    if has_tax == wants_tax:
        return Fraction(amount)
    return Fraction(amount) / line.factor if has_tax else amount * line.factor


def _cost(line: PlainLine, left: int, taken: dict[int, int]) -> PlainCost:
    price = line.price * line.quantity
    if line.exempt:
        return PlainCost(_net(line, left), _net(line, price), taken, [], [])
    taxes, before = _taxes(line, left), _taxes(line, price)
    if line.incl:
        return PlainCost(left, price, taken, taxes, before)
    return PlainCost(left + sum(taxes), price + sum(before), taken, taxes, before)


def _net(line: PlainLine, stated: int) -> int:
    return rounded(stated / line.factor) if line.incl else stated


def _taxes(line: PlainLine, stated: int) -> list[int]:
    if not line.incl:
        return [rounded(stated * rate) for rate in line.rates]
    return shared(stated - rounded(stated / line.factor), line.rates)
