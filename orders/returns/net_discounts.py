"""Discounts without tax on a line whose price includes it: those of orders that older versions have placed.

They are taken off the price without tax, and each tax falls in the same proportion.
Why: docs/decisions/orders.md#placed-orders-keep-their-amounts.
"""

from carts.arithmetic.line_totals import Line, LineTotals, TaxLineTotals, add_up_lines
from kit.values import money
from kit.values.rounding import half_up, split


def net_totals(line: Line, currency_code: str) -> LineTotals:
    """The totals of the line, but for refundable_total_per_unit: that is 0. line.adjustments: without tax."""
    step = money.step(currency_code)
    [before] = add_up_lines([line._replace(adjustments=())], currency_code=currency_code)
    discount = min(half_up(sum(line.adjustments), 1, step), before.subtotal)
    left, taxes = before.subtotal - discount, [tax.subtotal for tax in before.tax_lines]
    if discount:
        taxes = split(half_up(sum(taxes) * left, before.subtotal, step), taxes, step)
    tax_total = sum(taxes)
    total = left + tax_total
    return before._replace(
        total=total,
        tax_total=tax_total,
        discount_total=before.original_total - total,
        discount_subtotal=discount,
        discount_tax_total=before.original_tax_total - tax_total,
        refundable_total=total,
        refundable_total_per_unit=0,
        tax_lines=[TaxLineTotals(tax, own.subtotal) for tax, own in zip(taxes, before.tax_lines, strict=True)],
    )
