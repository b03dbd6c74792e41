"""A claim's line that replaces units of the same variant: it takes their price and discounts. No database.

Why: docs/decisions/order-changes.md#a-replacement-costs-what-was-paid.
"""

from carts.arithmetic.line_totals import stated_price
from kit.values import money
from kit.values.rounding import half_up, split
from orders.changes.discounts.discounted_lines import NO_COLUMNS, as_placed, with_discounts
from orders.changes.order_rows import LineDiscount, OrderLine
from orders.returns.placed_lines import PlacedLine


def as_replacement(added: OrderLine, replaced: OrderLine, claimed: int, currency_code: str) -> OrderLine:
    """The added line with the discounts of the claimed units of the line; if none are claimed, those of any unit.

    replaced: the line of the order. Of more or fewer units than are claimed, the discounts are in proportion.
    """
    step, placed = money.step(currency_code), as_placed(replaced, currency_code)
    before = replaced.kept_quantity - replaced.return_agreed_quantity
    if not 0 < claimed <= before:
        before = claimed = replaced.plain.quantity
    taken = _off(placed, before) - _off(placed, before - claimed)
    off = min(half_up(taken * added.plain.quantity, claimed, step), stated_price(added.plain, step))
    stored = replaced.discounts
    if len(stored) == len(placed.line.adjustments):
        weights = placed.line.adjustments
    else:  # they do not explain its total (orders/returns/placed_lines.py)
        stored, weights = _UNKNOWN, [1]
    parts = [LineDiscount(None, each.promotion_id, each.code, NO_COLUMNS) for each in stored]
    amounts = split(off, weights, step) if parts else ()
    return with_discounts(added, added.plain, parts, amounts, currency_code=currency_code)


_UNKNOWN = (LineDiscount(None, None, None, NO_COLUMNS),)


def _off(placed: PlacedLine, units: int) -> int:
    """What discounts take off so many units, in the terms of the price."""
    kept, line = placed.kept(units), placed.line
    left = (kept.total if line.is_tax_inclusive else kept.total - kept.tax_total) + kept.exempt_tax_total
    return stated_price(line._replace(quantity=units), money.step(placed.currency_code)) - left
