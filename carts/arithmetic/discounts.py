"""The discounts of promotions on the lines of a cart. No database: frozen numbers in, frozen numbers out.

Promotions on items apply before those on the order, and within each of the two percentages before fixed amounts,
otherwise in the order given. Each applies to the amount that the earlier ones leave, so that no line falls below 0.
Amounts are in 1/10,000 of a major unit, in the terms of their line: with tax where its price includes it.
Why: docs/decisions/carts.md#discounts-apply-to-amounts-as-stated,
docs/decisions/carts.md#shares-of-an-amount-lose-no-cent.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts.arithmetic.tax_arithmetic import restated
from carts.states import PromotionTarget, PromotionType
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up, split


class DiscountableLine(NamedTuple):
    """What the discounts of a line depend on.

    stated: its price for all units, in the currency's digits, with tax if is_tax_inclusive. rate: of its taxes
    together, in 1/10,000 percent.
    """

    stated: int
    quantity: int
    is_tax_inclusive: bool = False
    rate: int = 0
    product_id: str | None = None
    is_discountable: bool = True


class ActivePromotion(NamedTuple):
    """A promotion that is active now, for the cart's currency.

    value: a percentage in 1/10,000 percent; or an amount, off each unit on items, off all together on the order.
    is_tax_inclusive: whether the amount includes tax. product_ids: the products that it applies to; empty for all. On
    the order, it then applies to their lines.
    """

    promotion_id: str
    type: PromotionType
    target: PromotionTarget
    value: int
    is_tax_inclusive: bool = False
    product_ids: frozenset[str] = frozenset()


class Discount(NamedTuple):
    """The discount of one promotion on one line, in the terms of the line: above 0."""

    promotion_id: str
    amount: int


def apply_promotions(
    lines: Sequence[DiscountableLine], promotions: Iterable[ActivePromotion], *, currency_code: str
) -> list[list[Discount]]:
    """The discounts of each line, in the order in which the promotions apply."""
    step = money.step(currency_code)
    left = [line.stated if line.is_discountable else 0 for line in lines]
    discounts: list[list[Discount]] = [[] for _ in lines]
    for promotion in sorted(promotions, key=_order):
        eligible = [amount if _is_for(promotion, line) else 0 for amount, line in zip(left, lines, strict=True)]
        take = _TAKEN[promotion.type, promotion.target]
        for index, amount in enumerate(take(promotion, lines, eligible, step)):
            if amount:
                left[index] -= amount
                discounts[index].append(Discount(promotion.promotion_id, amount))
    return discounts


def _order(promotion: ActivePromotion) -> tuple[bool, bool]:
    return promotion.target == PromotionTarget.ORDER, promotion.type == PromotionType.FIXED


def _is_for(promotion: ActivePromotion, line: DiscountableLine) -> bool:
    return not promotion.product_ids or line.product_id in promotion.product_ids


def _share_of_items(
    promotion: ActivePromotion, _: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> list[int]:
    """A percentage off items is rounded once a line."""
    return [_percentage(promotion, amount, step) for amount in left]


def _share_of_order(
    promotion: ActivePromotion, _: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> list[int]:
    """A percentage off the order is rounded once, and split by what the lines have left."""
    return split(_percentage(promotion, sum(left), step), left, step)


def _amount_off_items(
    promotion: ActivePromotion, lines: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> list[int]:
    """A fixed amount off items counts for each piece, at most the whole line; it is converted once a line."""
    return [
        min(_in_terms_of(line, promotion.value * line.quantity, promotion, step), amount)
        for line, amount in zip(lines, left, strict=True)
    ]


def _amount_off_order(
    promotion: ActivePromotion, lines: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> list[int]:
    """A fixed amount off the order is capped and split in its own terms; each share is converted once.

    A line whose whole weight is taken loses all that it has left.
    """
    weights = [_weight(line, amount, promotion, step) for line, amount in zip(lines, left, strict=True)]
    shares = split(min(half_up(promotion.value, 1, step), sum(weights)), weights, step)
    return [
        amount if share == weight > 0 else _in_terms_of(line, share, promotion, step)
        for line, amount, weight, share in zip(lines, left, weights, shares, strict=True)
    ]


def _percentage(promotion: ActivePromotion, amount: int, step: int) -> int:
    return min(half_up(amount * promotion.value, HUNDRED_PERCENT, step), amount)


def _weight(line: DiscountableLine, amount: int, promotion: ActivePromotion, step: int) -> int:
    """What the line has left, in the terms of the promotion."""
    return restated(
        amount, rate=line.rate, from_gross=line.is_tax_inclusive, to_gross=promotion.is_tax_inclusive, step=step
    )


def _in_terms_of(line: DiscountableLine, amount: int, promotion: ActivePromotion, step: int) -> int:
    """An amount of the promotion, in the terms of the line."""
    return restated(
        amount, rate=line.rate, from_gross=promotion.is_tax_inclusive, to_gross=line.is_tax_inclusive, step=step
    )


_TAKEN = {
    (PromotionType.PERCENTAGE, PromotionTarget.ITEMS): _share_of_items,
    (PromotionType.PERCENTAGE, PromotionTarget.ORDER): _share_of_order,
    (PromotionType.FIXED, PromotionTarget.ITEMS): _amount_off_items,
    (PromotionType.FIXED, PromotionTarget.ORDER): _amount_off_order,
}
