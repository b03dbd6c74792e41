"""The tax on an amount, and the tax in one.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored: integers, hence exact.
All taxes of one amount are of that same amount; none is taxed by another. Each is rounded half-up to a multiple of
`step` (commerce.kit.core.money.step), and a tax in all is the sum of its parts.
"""

from collections.abc import Sequence

from catalog.taxes import without_tax
from commerce.kit.core.money import HUNDRED_PERCENT
from commerce.kit.core.rounding import half_up, split, split_within


def taxes_on(net: int, rates: Sequence[int], step: int) -> list[int]:
    """What each rate adds to an amount without tax."""
    return [half_up(net * rate, HUNDRED_PERCENT, step) for rate in rates]


def taxes_in(gross: int, rates: Sequence[int], step: int) -> list[int]:
    """What each rate has in an amount that contains them all.

    The amount without tax is that of the catalogue's prices; the rest is the tax, split by the rates.
    """
    together = sum(rates)
    if not together:
        return [0] * len(rates)
    tax = gross - without_tax(gross, together, step)
    return [tax] if len(rates) == 1 else split(tax, rates, step)


def taxes_left(taxes: Sequence[int], *, net: int, left: int, step: int) -> list[int]:
    """What remains of each tax in a price when its net amount, above 0, is reduced to `left`: as much in proportion.

    So the price with tax falls as its net amount does, from exactly the price to exactly 0.
    """
    remaining = half_up(sum(taxes) * left, net, step)
    return [remaining] if len(taxes) == 1 else split_within(remaining, taxes, step)
