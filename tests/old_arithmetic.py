"""What carts and kept units cost in the version before amounts as stated: its functions as they were (commit add1f9be).

Discounts are without tax. What is split is rounded half-up, and the last part takes the remainder.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts.arithmetic.line_totals import Line, LineTotals, TaxLineTotals
from carts.states import Allocation, PromotionTarget, PromotionType
from catalog.prices.taxes import without_tax
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up


class OldLine(NamedTuple):
    subtotal: int
    quantity: int
    product_id: str | None = None
    is_discountable: bool = True


def split(total: int, weights: Sequence[int], step: int) -> list[int]:
    if not total:
        return [0] * len(weights)
    whole = sum(weights)
    if not whole:
        return split(total, [1] * len(weights), step)
    parts, left, last = [], total, 0
    for index, weight in enumerate(weights):
        part = 0
        if weight:
            part, last = min(half_up(total * weight, whole, step), left), index
            left -= part
        parts.append(part)
    parts[last] += left
    return parts


def split_within(total: int, weights: Sequence[int], step: int) -> list[int]:
    parts, excess = split(total, weights, step), 0
    for index in reversed(range(len(parts))):
        wanted = parts[index] + excess
        parts[index] = min(wanted, weights[index])
        excess = wanted - parts[index]
    return parts


def apply_promotions(
    lines: Sequence[OldLine], promotions: Iterable[object], *, currency_code: str
) -> list[list[tuple[str, int]]]:
    step = money.step(currency_code)
    left = [line.subtotal if line.is_discountable else 0 for line in lines]
    discounts: list[list[tuple[str, int]]] = [[] for _ in lines]
    for promotion in sorted(promotions, key=_order):
        eligible = [
            amount if not promotion.target_rules or line.product_id in promotion.target_rules[0].values else 0
            for amount, line in zip(left, lines, strict=True)
        ]
        for index, amount in enumerate(_taken(promotion, lines, eligible, step)):
            if amount:
                left[index] -= amount
                discounts[index].append((promotion.promotion_id, amount))
    return discounts


def _order(promotion) -> tuple[bool, bool]:
    return _is_for_order(promotion), promotion.type == PromotionType.FIXED


def _is_for_order(promotion) -> bool:
    """Off some lines together is off the order for their products, as that version has it."""
    return promotion.target == PromotionTarget.ORDER or promotion.allocation == Allocation.ACROSS


def _taken(promotion, lines: Sequence[OldLine], left: Sequence[int], step: int) -> list[int]:
    if not _is_for_order(promotion):
        return [_amount(promotion, amount, line.quantity, step) for amount, line in zip(left, lines, strict=True)]
    return split_within(_amount(promotion, sum(left), 1, step), left, step)


def _amount(promotion, left: int, pieces: int, step: int) -> int:
    if promotion.type == PromotionType.PERCENTAGE:
        return min(half_up(left * promotion.value, HUNDRED_PERCENT, step), left)
    return min(half_up(promotion.value * pieces, 1, step), left)


def add_up_lines(lines: Iterable[Line], *, currency_code: str) -> list[LineTotals]:
    return [_add_up(line, money.step(currency_code)) for line in lines]


def kept_totals(line: Line, units: int, *, currency_code: str) -> LineTotals:
    """orders/returns/totals.py, _totals."""
    share = half_up(sum(line.adjustments) * units, line.quantity, money.step(currency_code))
    [totals] = add_up_lines([line._replace(quantity=units, adjustments=[share])], currency_code=currency_code)
    return totals


def _add_up(line: Line, step: int) -> LineTotals:
    quantity, unit_price, is_tax_inclusive, rates, adjustments, _ = line
    price = half_up(unit_price * quantity, 1, step)
    before = _taxes_in(price, rates, step) if is_tax_inclusive else _taxes_on(price, rates, step)
    original_tax_total = sum(before)
    subtotal = price - original_tax_total if is_tax_inclusive else price
    discount_subtotal = min(half_up(sum(adjustments), 1, step), subtotal)
    left = subtotal - discount_subtotal
    if not discount_subtotal:
        taxes = before
    elif is_tax_inclusive:
        remaining = half_up(sum(before) * left, subtotal, step)
        taxes = [remaining] if len(before) == 1 else split_within(remaining, before, step)
    else:
        taxes = _taxes_on(left, rates, step)
    tax_total = sum(taxes)
    total, original_total = left + tax_total, subtotal + original_tax_total
    return LineTotals(
        total=total,
        subtotal=subtotal,
        tax_total=tax_total,
        discount_total=original_total - total,
        discount_subtotal=discount_subtotal,
        discount_tax_total=original_tax_total - tax_total,
        original_total=original_total,
        original_tax_total=original_tax_total,
        refundable_total=total,
        refundable_total_per_unit=min(half_up(total, quantity, step), total) if quantity else 0,
        exempt_tax_total=0,
        tax_lines=[TaxLineTotals(tax, original) for tax, original in zip(taxes, before, strict=True)],
    )


def _taxes_on(net: int, rates: Sequence[int], step: int) -> list[int]:
    return [half_up(net * rate, HUNDRED_PERCENT, step) for rate in rates]


def _taxes_in(gross: int, rates: Sequence[int], step: int) -> list[int]:
    together = sum(rates)
    if not together:
        return [0] * len(rates)
    tax = gross - without_tax(gross, together, step)
    return [tax] if len(rates) == 1 else split(tax, rates, step)
