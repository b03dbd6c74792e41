"""What a promotion takes off rows, given what they have left. No database.

A percentage is rounded once a row; off several rows together it is rounded once, and split by what they have left. A
fixed amount is converted to the terms of a row with one rounding. Nothing takes more than is left.
Why: docs/decisions/carts.md#discounts-apply-to-amounts-as-stated,
docs/decisions/carts.md#a-fixed-amount-says-whether-it-includes-tax,
docs/decisions/carts.md#shares-of-an-amount-lose-no-cent.
"""

from collections.abc import Sequence

from carts.arithmetic.offers import ActivePromotion, DiscountableLine
from carts.arithmetic.tax_arithmetic import restated
from carts.states import PromotionType
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up, split


def off_units(promotion: ActivePromotion, row: DiscountableLine, left: int, units: int, step: int) -> int:
    """What it takes off so many units of the row."""
    if promotion.type == PromotionType.PERCENTAGE:
        return min(half_up(left * units * promotion.value, row.quantity * HUNDRED_PERCENT, step), left)
    most = left if units == row.quantity else min(half_up(left * units, row.quantity, step), left)
    return min(_in_terms_of(row, promotion.value * units, promotion, step), most)


def off_all(
    promotion: ActivePromotion, rows: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> Sequence[int]:
    """What it takes off each of the rows: its share of a percentage of all, or of an amount, capped in its own terms.

    A row whose whole weight is taken loses all that it has left.
    """
    if promotion.type == PromotionType.PERCENTAGE:
        whole = sum(left)
        return split(min(half_up(whole * promotion.value, HUNDRED_PERCENT, step), whole), left, step)
    weights = [_weight(row, amount, promotion, step) for row, amount in zip(rows, left, strict=True)]
    shares = split(min(half_up(promotion.value, 1, step), sum(weights)), weights, step)
    return [
        amount if share == weight > 0 else min(_in_terms_of(row, share, promotion, step), amount)
        for row, amount, weight, share in zip(rows, left, weights, shares, strict=True)
    ]


def _weight(row: DiscountableLine, amount: int, promotion: ActivePromotion, step: int) -> int:
    """What the row has left, in the terms of the promotion."""
    return restated(
        amount, rate=row.rate, from_gross=row.is_tax_inclusive, to_gross=promotion.is_tax_inclusive, step=step
    )


def _in_terms_of(row: DiscountableLine, amount: int, promotion: ActivePromotion, step: int) -> int:
    """An amount of the promotion, in the terms of the row."""
    return restated(
        amount, rate=row.rate, from_gross=promotion.is_tax_inclusive, to_gross=row.is_tax_inclusive, step=step
    )
