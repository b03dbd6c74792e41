"""The tax on a net amount, and the tax in a gross amount.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact.
All taxes of an amount apply to the amount itself; none applies to another tax. Amounts are rounded half-up to multiples
of `step` (kit.values.money.step).
"""

from collections.abc import Sequence

from catalog.prices.taxes import without_tax
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up, split


def taxes_on(net: int, rates: Sequence[int], step: int) -> list[int]:
    """The tax of each rate on a net amount, rounded one by one."""
    return [half_up(net * rate, HUNDRED_PERCENT, step) for rate in rates]


def taxes_in(gross: int, rates: Sequence[int], step: int) -> list[int]:
    """The tax of each rate in a gross amount.

    The net amount is as in the catalogue's prices; the rest is the tax, which the rates share by largest remainder.
    """
    together = sum(rates)
    if not together:
        return [0] * len(rates)
    tax = gross - without_tax(gross, together, step)
    return [tax] if len(rates) == 1 else split(tax, rates, step)


def restated(amount: int, *, rate: int, from_gross: bool, to_gross: bool, step: int) -> int:
    """The amount with or without tax, as the other terms say, rounded once. rate: of all its taxes together."""
    if from_gross == to_gross:
        return half_up(amount, 1, step)
    if from_gross:
        return without_tax(amount, rate, step)
    return half_up(amount * (HUNDRED_PERCENT + rate), HUNDRED_PERCENT, step)
