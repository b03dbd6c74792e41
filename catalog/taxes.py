"""An amount with and without its tax, to the digits of its currency.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact.
"""

from typing import NamedTuple

from commerce.core import money
from commerce.core.rounding import half_up

_WHOLE = 100 * 10_000
"""A rate of 100 percent."""


class Taxed(NamedTuple):
    """One amount, seen both ways."""

    with_tax: int
    without_tax: int


def taxed(amount: int, *, rate: int, is_inclusive: bool, currency_code: str) -> Taxed:
    """The amount and what it becomes by adding the tax, or, where it is inclusive, by taking it out.

    amount: 0 or more. The computed one is rounded half-up to the currency's digits; the given one stays as it is.
    """
    step = money.step(currency_code)
    if is_inclusive:
        return Taxed(amount, half_up(amount * _WHOLE, _WHOLE + rate, step))
    return Taxed(half_up(amount * (_WHOLE + rate), _WHOLE, step), amount)
