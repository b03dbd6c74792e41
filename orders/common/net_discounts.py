"""Discounts without tax on a line whose price includes it: those of orders that older versions have placed.

They are taken off the price without tax, and each tax falls in the same proportion.
Why: docs/decisions/orders.md#placed-orders-keep-their-amounts.
"""

from carts.arithmetic.line_totals import Line, LineTotals, TaxLineTotals, kept_totals
from kit.values import money
from kit.values.rounding import half_up, split


def net_totals(line: Line, units: int, *, currency_code: str) -> LineTotals:
    """The totals of so many units of the line. line.adjustments: without tax.

    A unit may cost a cent less than nothing; then it refunds nothing.
    """
    totals = _totals(line, units, currency_code)
    next_unit = totals.total - _totals(line, units - 1, currency_code).total if units else 0
    return totals._replace(refundable_total_per_unit=max(next_unit, 0))


def _totals(line: Line, units: int, currency_code: str) -> LineTotals:
    step = money.step(currency_code)
    before = kept_totals(line._replace(adjustments=()), units, currency_code=currency_code)
    discount = min(half_up(sum(line.adjustments) * units, line.quantity, step), before.subtotal)
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
        tax_lines=[TaxLineTotals(tax, own.subtotal) for tax, own in zip(taxes, before.tax_lines, strict=True)],
    )
