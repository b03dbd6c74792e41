"""The tax on a net amount, and the tax in a gross amount.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact.
All taxes of an amount apply to the amount itself; none applies to another tax. Each is rounded half-up to a multiple of
`step` (kit.values.money.step), and a total tax is the sum of its parts.
"""

from collections.abc import Sequence

from catalog.prices.taxes import without_tax
from kit.values.money import HUNDRED_PERCENT
from kit.values.rounding import half_up, split, split_within


def taxes_on(net: int, rates: Sequence[int], step: int) -> list[int]:
    """The tax of each rate on a net amount."""
    return [half_up(net * rate, HUNDRED_PERCENT, step) for rate in rates]


def taxes_in(gross: int, rates: Sequence[int], step: int) -> list[int]:
    """The tax of each rate in a gross amount.

    The net amount is as in the catalogue's prices; the rest is the tax, split by the rates.
    """
    together = sum(rates)
    if not together:
        return [0] * len(rates)
    tax = gross - without_tax(gross, together, step)
    return [tax] if len(rates) == 1 else split(tax, rates, step)


def taxes_left(taxes: Sequence[int], *, net: int, left: int, step: int) -> list[int]:
    """Each tax in a price after its net amount, above 0, is reduced to `left`: reduced in the same proportion.

    So the gross price falls with its net amount, from exactly the price to exactly 0.
    """
    remaining = half_up(sum(taxes) * left, net, step)
    return [remaining] if len(taxes) == 1 else split_within(remaining, taxes, step)
