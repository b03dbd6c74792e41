"""The totals of each line of a cart. No database: frozen numbers in, frozen numbers out.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact. What
the totals mean, for a line as for a cart, is explained in carts/arithmetic/totals.py.
Why: docs/decisions/carts.md#amounts-are-rounded-line-by-line.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts.arithmetic.tax_arithmetic import taxes_in, taxes_left, taxes_on
from kit.values import money
from kit.values.rounding import half_up


class Line(NamedTuple):
    """A quantity at a unit price; a shipping method has a quantity of 1.

    quantity: 1 or more; 0 of an order's line that was returned. unit_price: 0 or more. rates: of its tax lines.
    adjustments: the discounts of promotions on the whole line, always net of tax; together at most the subtotal counts.
    returned_quantity: the quantity whose return was requested, received or dismissed.
    """

    quantity: int
    unit_price: int
    is_tax_inclusive: bool = False
    rates: Sequence[int] = ()
    adjustments: Sequence[int] = ()
    returned_quantity: int = 0


class TaxLineTotals(NamedTuple):
    """One tax of a line. total: after promotions. subtotal: before them."""

    total: int
    subtotal: int


class LineTotals(NamedTuple):
    """The totals of a line. tax_lines: in the order of its rates; they sum to tax_total and original_tax_total.

    refundable_total: of the units that are not returned. refundable_total_per_unit: of the next one of them. Each unit
    refunds the same amount, rounded half-up, and the last one the rest, so that all together refund the total.
    """

    total: int
    subtotal: int
    tax_total: int
    discount_total: int
    discount_subtotal: int
    discount_tax_total: int
    original_total: int
    original_tax_total: int
    refundable_total: int
    refundable_total_per_unit: int
    tax_lines: Sequence[TaxLineTotals]

    @property
    def original_subtotal(self) -> int:
        """Subtotals are before promotions."""
        return self.subtotal

    @property
    def item_total(self) -> int:
        """The total of a line holds no shipping."""
        return self.total

    @property
    def item_subtotal(self) -> int:
        """See item_total."""
        return self.subtotal

    @property
    def item_tax_total(self) -> int:
        """See item_total."""
        return self.tax_total


def add_up_lines(lines: Iterable[Line], *, currency_code: str) -> list[LineTotals]:
    """The totals of each line, in their order, in the currency's digits."""
    step = money.step(currency_code)
    return [_add_up(line, step) for line in lines]


def _add_up(line: Line, step: int) -> LineTotals:
    quantity, unit_price, is_tax_inclusive, rates, adjustments, returned_quantity = line
    price = half_up(unit_price * quantity, 1, step)
    before = taxes_in(price, rates, step) if is_tax_inclusive else taxes_on(price, rates, step)
    original_tax_total = sum(before)
    subtotal = price - original_tax_total if is_tax_inclusive else price
    discount_subtotal = min(half_up(sum(adjustments), 1, step), subtotal)
    left = subtotal - discount_subtotal
    if not discount_subtotal:
        taxes = before
    elif is_tax_inclusive:
        taxes = taxes_left(before, net=subtotal, left=left, step=step)
    else:
        taxes = taxes_on(left, rates, step)
    tax_total = sum(taxes)
    total, original_total = left + tax_total, subtotal + original_tax_total
    refundable_total, refundable_total_per_unit = _refundable(total, quantity, returned_quantity, step)
    return LineTotals(
        total=total,
        subtotal=subtotal,
        tax_total=tax_total,
        discount_total=original_total - total,
        discount_subtotal=discount_subtotal,
        discount_tax_total=original_tax_total - tax_total,
        original_total=original_total,
        original_tax_total=original_tax_total,
        refundable_total=refundable_total,
        refundable_total_per_unit=refundable_total_per_unit,
        tax_lines=[TaxLineTotals(tax, original) for tax, original in zip(taxes, before, strict=True)],
    )


def _refundable(total: int, quantity: int, returned_quantity: int, step: int) -> tuple[int, int]:
    """The amount to refund for the units that are not returned, and for the next of them."""
    pieces = quantity - returned_quantity
    if pieces <= 0:
        return 0, 0
    each = half_up(total, quantity, step)
    left = max(total - each * returned_quantity, 0)
    return left, left if pieces == 1 else min(each, left)
