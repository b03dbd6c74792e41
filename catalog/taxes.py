"""An amount with and without its tax, to the digits of its currency.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact.
"""

from typing import NamedTuple

from commerce.kit.core import money
from commerce.kit.core.money import HUNDRED_PERCENT
from commerce.kit.core.rounding import half_up


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
        return Taxed(amount, without_tax(amount, rate, step))
    return Taxed(half_up(amount * (HUNDRED_PERCENT + rate), HUNDRED_PERCENT, step), amount)


def without_tax(amount: int, rate: int, step: int) -> int:
    """What an amount, 0 or more, comes to without the tax that it holds, rounded half-up to a multiple of step."""
    return half_up(amount * HUNDRED_PERCENT, HUNDRED_PERCENT + rate, step)
