"""Every usual price with every usual European rate of tax and every whole percentage off: 250,866 combinations.

`python -m tests.carts.money` calculates all of them by our functions and by the plain program with fractions, off items
and off the order, and lists those that differ in discount, tax or total. It takes half a minute of CPU time.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from carts.arithmetic.discounts import apply_promotions
from carts.arithmetic.line_totals import Line, add_up_lines
from carts.arithmetic.offers import ActivePromotion, DiscountableLine
from carts.states import PromotionTarget, PromotionType
from tests.carts.money.plain import PlainLine, PlainPromotion, costs

PRICES = sorted({100 * whole + cents for whole in range(45) for cents in (0, 50, 95, 99)} - {0} | {99_99, 199_00})
"""In cents, with tax: 0.50, 0.95, 0.99, 1.00 … 44.99, 99.99, 199.00."""
RATES = ("5", "5.5", "6", "7", "8.1", "9", "10", "19", "20", "21", "22", "23", "25", "25.5")
PERCENTAGES = range(1, 100)


class Combination(NamedTuple):
    """price: in cents. rate, percentage: in percent."""

    price: int
    rate: str
    percentage: int


def combinations() -> Iterator[Combination]:
    """All of them."""
    return (Combination(*each) for each in product(PRICES, RATES, PERCENTAGES))


def differences(chosen: Iterator[Combination] | list[Combination]) -> list[Combination]:
    """Those whose discount, tax or total are not what fractions say."""
    return [each for each in chosen if any(_ours(each, target) != _plain(each) for target in ("items", "order"))]


def _plain(combination: Combination) -> tuple[int, int, int]:
    """Discount, tax and total in cents."""
    line = PlainLine(combination.price, 1, True, (Fraction(combination.rate) / 100,))
    [cost] = costs([line], [PlainPromotion(True, False, Fraction(combination.percentage, 100))])
    return cost.original_total - cost.total, sum(cost.taxes), cost.total


def _ours(combination: Combination, target: str) -> tuple[int, int, int]:
    rate, price = int(Fraction(combination.rate) * 10_000), combination.price * 100
    promotion = ActivePromotion(
        "promo", PromotionType.PERCENTAGE, PromotionTarget(target), combination.percentage * 10_000
    )
    [discounts] = apply_promotions([DiscountableLine(price, 1, True, rate)], [promotion], currency_code="eur")
    line = Line(1, price, True, [rate], [each.amount for each in discounts])
    [totals] = add_up_lines([line], currency_code="eur")
    return totals.discount_total // 100, totals.tax_total // 100, totals.total // 100
