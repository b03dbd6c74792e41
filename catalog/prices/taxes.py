"""An amount with and without tax, rounded to the digits of its currency.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up


class Taxed(NamedTuple):
    """One amount, with and without tax."""

    with_tax: int
    without_tax: int


def taxed(amount: int, *, rates: Sequence[int], is_inclusive: bool, currency_code: str) -> Taxed:
    """The amount with and without taxes: adds them or, if it is inclusive, takes them out.

    amount: 0 or more. Several taxes are rounded one by one where they are added, and taken out together. The computed
    amount is rounded half-up to the currency's digits; the given one is not changed.
    """
    step = money.step(currency_code)
    if is_inclusive:
        return Taxed(amount, without_tax(amount, sum(rates), step))
    if len(rates) > 1:
        taxes = [half_up(amount * rate, HUNDRED_PERCENT, step) for rate in rates]
        return Taxed(half_up(amount, 1, step) + sum(taxes), amount)
    return Taxed(half_up(amount * (HUNDRED_PERCENT + sum(rates)), HUNDRED_PERCENT, step), amount)


def without_tax(amount: int, rate: int, step: int) -> int:
    """The amount, 0 or more, less the tax that it includes, rounded half-up to a multiple of step."""
    return half_up(amount * HUNDRED_PERCENT, HUNDRED_PERCENT + rate, step)
