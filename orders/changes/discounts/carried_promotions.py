"""Promotions of an order that apply anew to all its lines, as they were granted. No database.

They test no rule of the cart and no budget. Discounts on shipping stay as they are.
Why: docs/decisions/order-changes.md#promotions-are-carried-over-as-they-were-granted.
"""

from collections.abc import Sequence

from carts.arithmetic.discounts import choose_promotions
from carts.arithmetic.offer_rules import selects
from carts.arithmetic.offers import ActivePromotion, DiscountableLine, OfferedCart, OfferRule
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType
from kit.values import money
from orders.changes.discounts.discounted_lines import NO_COLUMNS, with_discounts
from orders.changes.order_rows import GrantedPromotion, LineDiscount, OrderLine

_LINE = "line"
"""What a promotion's target rule is about, once its lines are known."""


def carried_over(
    lines: Sequence[OrderLine], promotions: Sequence[GrantedPromotion], currency_code: str
) -> list[OrderLine]:
    """The lines with what the promotions take off them, instead of the discounts that they have."""
    rows = [_discountable(line, currency_code) for line in lines]
    offered = [
        _for_lines(each.promotion, lines, rows)
        for each in promotions
        if each.promotion.target != PromotionTarget.SHIPPING_METHODS
    ]
    outcome = choose_promotions(OfferedCart(rows), offered, currency_code=currency_code)
    codes = {each.promotion.promotion_id: each.code for each in promotions}
    carried = []
    for line, parts in zip(lines, outcome.discounts, strict=True):
        known = {each.promotion_id: each for each in line.discounts}
        discounts = [
            known.get(part.promotion_id) or LineDiscount(None, part.promotion_id, codes[part.promotion_id], NO_COLUMNS)
            for part in parts
        ]
        amounts = [part.amount for part in parts]
        carried.append(with_discounts(line, line.plain, discounts, amounts, currency_code=currency_code))
    return carried


def carried_to_added(
    lines: Sequence[OrderLine], promotions: Sequence[GrantedPromotion], currency_code: str
) -> list[OrderLine]:
    """The same for lines that an exchange or a claim adds: of what takes a percentage, or an amount off each unit.

    An amount off the order stays where it is, and what replaces units keeps their discounts.
    """
    granted = [each for each in promotions if _is_per_unit(each.promotion)]
    return [line if line.discounts else carried_over([line], granted, currency_code)[0] for line in lines]


def _is_per_unit(promotion: ActivePromotion) -> bool:
    is_each = promotion.target == PromotionTarget.ITEMS and promotion.allocation in (None, Allocation.EACH)
    return (
        promotion.kind == PromotionKind.STANDARD
        and promotion.max_quantity is None
        and (is_each or (promotion.type == PromotionType.PERCENTAGE and promotion.allocation != Allocation.ONCE))
    )


def _discountable(line: OrderLine, currency_code: str) -> DiscountableLine:
    return DiscountableLine.of(line.plain, money.step(currency_code))._replace(
        is_discountable=line.is_discountable and not line.is_giftcard,
        is_giftcard=line.is_giftcard,
        facts={**line.facts, _LINE: frozenset((line.id,))},
        is_exempt=bool(line.plain.exempt_rate),
    )


def _for_lines(
    promotion: ActivePromotion, lines: Sequence[OrderLine], rows: Sequence[DiscountableLine]
) -> ActivePromotion:
    """The promotion for the lines that it selects today, and those that have its discount."""
    if not promotion.target_rules:
        return promotion
    selected = frozenset(
        line.id
        for line, row in zip(lines, rows, strict=True)
        if selects(promotion.target_rules, row)
        or promotion.promotion_id in {each.promotion_id for each in line.discounts}
    )
    return promotion._replace(target_rules=[OfferRule(_LINE, Comparison.IN, selected)])
