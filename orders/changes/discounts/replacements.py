"""A claim's line that replaces units of the same variant: it takes their price and discounts. No database.

Why: docs/decisions/order-changes.md#a-replacement-costs-what-was-paid.
"""

from carts.arithmetic.line_totals import stated_price
from kit.values import money
from kit.values.rounding import half_up, split
from orders.changes.discounts.discounted_lines import NO_COLUMNS, as_placed, with_discounts
from orders.changes.order_rows import LineDiscount, OrderLine
from orders.common.placed_lines import PlacedLine


def as_replacement(
    added: OrderLine, replaced: OrderLine, claimed: int, currency_code: str, *, skipped: int = 0
) -> OrderLine:
    """The added line with the discounts of claimed units of the line, and at most what these count.

    replaced: the line of the order. skipped: the claimed units that earlier lines replace. Of units that are not
    claimed, the discounts are in proportion.
    """
    step, placed = money.step(currency_code), as_placed(replaced, currency_code)
    units, price = added.plain.quantity, stated_price(added.plain, step)
    before = replaced.kept_quantity - replaced.return_agreed_quantity
    is_claimed = skipped + units <= claimed <= before
    if is_claimed:
        last, first = before - skipped, before - skipped - units
        off = min(_off(placed, last) - _off(placed, first), price)
    else:
        off = min(half_up(_off(placed, replaced.plain.quantity) * units, replaced.plain.quantity, step), price)
    line = _less(added, replaced, placed, off, currency_code)
    if is_claimed:
        counted = placed.kept(last).total - placed.kept(first).total
        while line.placed_total > counted and off < price:  # their tax was rounded together with that of others
            off += step
            line = _less(added, replaced, placed, off, currency_code)
    return line


def _less(added: OrderLine, replaced: OrderLine, placed: PlacedLine, off: int, currency_code: str) -> OrderLine:
    """The added line with so much off, by the promotions that the replaced one has."""
    stored = replaced.discounts
    if any(placed.line.adjustments) and len(stored) == len(placed.line.adjustments):
        weights = placed.line.adjustments
    else:  # they do not explain its total (orders/common/placed_lines.py), or there are none
        stored, weights = _UNKNOWN, [1]
    parts = [LineDiscount(None, each.promotion_id, each.code, NO_COLUMNS) for each in stored]
    amounts = split(off, weights, money.step(currency_code))
    return with_discounts(added, added.plain, parts, amounts, currency_code=currency_code)


_UNKNOWN = (LineDiscount(None, None, None, NO_COLUMNS),)


def _off(placed: PlacedLine, units: int) -> int:
    """What discounts take off so many units, in the terms of the price."""
    kept, line = placed.kept(units), placed.line
    left = (kept.total if line.is_tax_inclusive else kept.total - kept.tax_total) + kept.exempt_tax_total
    return stated_price(line._replace(quantity=units), money.step(placed.currency_code)) - left
