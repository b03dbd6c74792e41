"""The discounts of promotions on the lines of a cart, before tax. No database: frozen numbers in, frozen numbers out.

Promotions on items apply before those on the order, and within each of the two percentages before fixed amounts,
otherwise in the order given. Each applies to the amount that the earlier ones leave, so that no line falls below 0.
Amounts are in 1/10,000 of a major unit, net of tax. Why: docs/decisions/carts.md#shares-of-an-amount-lose-no-cent.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts.states import PromotionTarget, PromotionType
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up, split_within


class DiscountableLine(NamedTuple):
    """What the discounts of a line depend on. subtotal: its LineTotals.subtotal, in the currency's digits."""

    subtotal: int
    quantity: int
    product_id: str | None = None
    is_discountable: bool = True


class ActivePromotion(NamedTuple):
    """A promotion that is active now, for the cart's currency.

    value: a percentage in 1/10,000 percent; or an amount, off each unit on items, off all together on the order.
    product_ids: the products that it applies to; empty for all. On the order, it then applies to their lines.
    """

    promotion_id: str
    type: PromotionType
    target: PromotionTarget
    value: int
    product_ids: frozenset[str] = frozenset()


class Discount(NamedTuple):
    """The discount of one promotion on one line: above 0."""

    promotion_id: str
    amount: int


def apply_promotions(
    lines: Sequence[DiscountableLine], promotions: Iterable[ActivePromotion], *, currency_code: str
) -> list[list[Discount]]:
    """The discounts of each line, in the order in which the promotions apply.

    A discount on the order is rounded once and split over the lines by their remaining amounts: half-up, with the
    remainder on the last line, or on the one before if the last line's amount does not suffice.
    """
    step = money.step(currency_code)
    left = [line.subtotal if line.is_discountable else 0 for line in lines]
    discounts: list[list[Discount]] = [[] for _ in lines]
    for promotion in sorted(promotions, key=_order):
        eligible = [amount if _is_for(promotion, line) else 0 for amount, line in zip(left, lines, strict=True)]
        take = _take_from_items if promotion.target == PromotionTarget.ITEMS else _take_from_order
        for index, amount in enumerate(take(promotion, lines, eligible, step)):
            if amount:
                left[index] -= amount
                discounts[index].append(Discount(promotion.promotion_id, amount))
    return discounts


def _order(promotion: ActivePromotion) -> tuple[bool, bool]:
    return promotion.target == PromotionTarget.ORDER, promotion.type == PromotionType.FIXED


def _is_for(promotion: ActivePromotion, line: DiscountableLine) -> bool:
    return not promotion.product_ids or line.product_id in promotion.product_ids


def _take_from_items(
    promotion: ActivePromotion, lines: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> list[int]:
    return [_amount(promotion, amount, line.quantity, step) for amount, line in zip(left, lines, strict=True)]


def _take_from_order(
    promotion: ActivePromotion, _: Sequence[DiscountableLine], left: Sequence[int], step: int
) -> list[int]:
    return split_within(_amount(promotion, sum(left), 1, step), left, step)


def _amount(promotion: ActivePromotion, left: int, pieces: int, step: int) -> int:
    """The discount on an amount, at most all of it."""
    if promotion.type == PromotionType.PERCENTAGE:
        return min(half_up(left * promotion.value, HUNDRED_PERCENT, step), left)
    return min(half_up(promotion.value * pieces, 1, step), left)
