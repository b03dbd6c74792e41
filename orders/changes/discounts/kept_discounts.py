"""Discounts that stay with their lines, as quantities change. No database.

Why: docs/decisions/order-changes.md#discounts-follow-the-units-of-their-line.
"""

from collections.abc import Collection, Iterable

from carts.arithmetic.line_totals import Line, stated_price
from carts.arithmetic.offers import ActivePromotion
from carts.states import Allocation, PromotionKind, PromotionTarget
from kit.values import money
from kit.values.rounding import half_up, split
from orders.changes.discounts.discounted_lines import NO_COLUMNS, as_placed, with_discounts
from orders.changes.order_rows import LineDiscount, OrderLine


def rising(promotions: Iterable[ActivePromotion]) -> Collection[str]:
    """The promotions whose discounts rise with the units of their line: those off each unit, of any number."""
    return {
        each.promotion_id
        for each in promotions
        if each.kind == PromotionKind.STANDARD
        and each.target == PromotionTarget.ITEMS
        and each.allocation in (None, Allocation.EACH)
        and each.max_quantity is None
    }


def keep_discounts(line: OrderLine, plain: Line, rising_ids: Collection[str], currency_code: str) -> OrderLine:
    """The line of an order with this quantity and price, and the discounts that it then keeps.

    The discounts of the units that were not returned are rounded half-up together, and split over their promotions.
    Returned units keep theirs, so that what they have refunded stays as it was.
    """
    step, placed = money.step(currency_code), as_placed(line, currency_code)
    discounts, taken = line.discounts or _MISSING[: len(placed.line.adjustments)], placed.line.adjustments
    is_known = len(discounts) == len(taken)
    before, after = line.kept_quantity, plain.quantity - line.returned_quantity
    if not after:
        before, after = line.plain.quantity, plain.quantity
    weights = [
        amount * (after if is_known and discount.promotion_id in rising_ids else min(before, after))
        for amount, discount in zip(taken, discounts if is_known else _MISSING, strict=True)
    ]
    off = half_up(sum(weights), line.plain.quantity, step)
    if after < plain.quantity:
        off = half_up(off * plain.quantity, after, step)
    if not is_known:
        weights = [each.stored.amount for each in discounts]
    amounts = split(min(off, stated_price(plain, step)), weights, step) if discounts else ()
    return with_discounts(line, plain, discounts, amounts, currency_code=currency_code, is_net=placed.is_net)


_MISSING = (LineDiscount(None, None, None, NO_COLUMNS),)
"""What a line lacks whose stored discounts do not explain its total (orders/common/placed_lines.py)."""
