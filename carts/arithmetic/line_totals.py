"""The totals of each line of a cart. No database: frozen numbers in, frozen numbers out.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact. What
the totals mean, for a line as for a cart, is explained in carts/arithmetic/totals.py.
Why: docs/decisions/carts.md#amounts-are-rounded-line-by-line.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from carts.arithmetic.tax_arithmetic import taxes_in, taxes_on
from catalog.prices.taxes import without_tax
from kit.values import money
from kit.values.rounding import half_up


class Line(NamedTuple):
    """A quantity at a unit price; a shipping method has a quantity of 1.

    quantity: 1 or more. unit_price: 0 or more. rates: of its tax lines. adjustments: the discounts of promotions on the
    whole line, in its terms: with tax if is_tax_inclusive. Together at most the price counts. exempt_rate: for an
    exempt customer, the sum of the rates that would otherwise apply; rates is empty then.
    Why: docs/decisions/taxes.md#exempt-customers-pay-net-prices.
    """

    quantity: int
    unit_price: int
    is_tax_inclusive: bool = False
    rates: Sequence[int] = ()
    adjustments: Sequence[int] = ()
    exempt_rate: int = 0

    @property
    def rate(self) -> int:
        """Of all its taxes together, applicable or not."""
        return sum(self.rates) + self.exempt_rate


class TaxLineTotals(NamedTuple):
    """One tax of a line. total: after promotions. subtotal: before them."""

    total: int
    subtotal: int


class LineTotals(NamedTuple):
    """The totals of a line. tax_lines: in the order of its rates; they sum to tax_total and original_tax_total.

    refundable_total: what all units refund. refundable_total_per_unit: what the next one of them refunds.
    exempt_tax_total: the tax removed from the total of an exempt customer.
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
    exempt_tax_total: int
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


class PricedRow(Protocol):
    """A line of a cart or order with its totals."""

    @property
    def total(self) -> int: ...
    @property
    def tax_total(self) -> int: ...
    @property
    def exempt_tax_total(self) -> int | None: ...
    @property
    def is_tax_inclusive(self) -> bool: ...
    @property
    def is_giftcard(self) -> bool: ...


def goods_as_stated(rows: Iterable[PricedRow]) -> int:
    """What the goods cost after discounts, each line in the terms of its price. Gift cards are no goods.

    Thresholds count it. Why: docs/decisions/carts.md#thresholds-count-the-goods-as-stated.
    """
    return sum(_as_stated(row) for row in rows if not row.is_giftcard)


def _as_stated(row: PricedRow) -> int:
    """The total as stated: adds back the tax removed for an exempt customer.

    Not if an older version has since priced the row with tax.
    """
    if row.tax_total:
        return row.total if row.is_tax_inclusive else row.total - row.tax_total
    return row.total + (row.exempt_tax_total or 0)


def add_up_lines(lines: Iterable[Line], *, currency_code: str) -> list[LineTotals]:
    """The totals of each line, in their order, in the currency's digits."""
    step = money.step(currency_code)
    return [_add_up(line, line.quantity, step) for line in lines]


def stated_price(line: Line, step: int) -> int:
    """The price of all units as stated, before discounts."""
    return _stated(line, line.quantity, step)


def kept_totals(line: Line, units: int, *, currency_code: str) -> LineTotals:
    """The totals of so many units of the line, 0 to all, with their part of the discounts.

    Why: docs/decisions/returns.md#totals-of-a-line-cover-the-units-that-were-kept.
    """
    return _add_up(line, units, money.step(currency_code))


def _add_up(line: Line, units: int, step: int) -> LineTotals:
    stated = _left(line, units, step)
    price, left = _charged(line, _stated(line, units, step), step), _charged(line, stated, step)
    taxes_of = taxes_in if line.is_tax_inclusive else taxes_on
    before = taxes_of(price, line.rates, step)
    taxes = before if left == price else taxes_of(left, line.rates, step)
    original_tax_total, tax_total = sum(before), sum(taxes)
    original_total, total = price, left
    if not line.is_tax_inclusive:
        original_total, total = price + original_tax_total, left + tax_total
    subtotal = original_total - original_tax_total
    return LineTotals(
        total=total,
        subtotal=subtotal,
        tax_total=tax_total,
        discount_total=original_total - total,
        discount_subtotal=subtotal - (total - tax_total),
        discount_tax_total=original_tax_total - tax_total,
        original_total=original_total,
        original_tax_total=original_tax_total,
        refundable_total=total,
        refundable_total_per_unit=max(total - _total(line, units - 1, step), 0) if units > 1 else total,
        exempt_tax_total=stated - left,
        tax_lines=[TaxLineTotals(tax, original) for tax, original in zip(taxes, before, strict=True)],
    )


def _charged(line: Line, stated: int, step: int) -> int:
    """What is charged for an amount as stated, before tax is added to it: to an exempt customer without its tax."""
    return without_tax(stated, line.exempt_rate, step) if line.exempt_rate and line.is_tax_inclusive else stated


def _stated(line: Line, units: int, step: int) -> int:
    """The price of so many units as stated, before discounts."""
    return half_up(line.unit_price * units, 1, step)


def _left(line: Line, units: int, step: int) -> int:
    """What so many units cost as stated, after their part of the discounts."""
    price = _stated(line, units, step)
    if not line.adjustments:
        return price
    return price - min(half_up(sum(line.adjustments) * units, line.quantity, step), price)


def _total(line: Line, units: int, step: int) -> int:
    """What so many units cost with tax."""
    left = _charged(line, _left(line, units, step), step)
    return left if line.is_tax_inclusive else left + sum(taxes_on(left, line.rates, step))
