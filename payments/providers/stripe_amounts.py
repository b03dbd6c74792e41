"""Money in the units that Stripe counts in.

Source: Stripe's documentation, the page on currencies, under minor units, zero-decimal and three-decimal currencies and
special cases, as of November 2026. Which currencies may be charged at all Stripe says by itself.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from commerce.kit.core.money import digits
from payments.providers.base import Declined


@dataclass(frozen=True, slots=True)
class Unit:
    """decimals: those of a major unit that Stripe counts. step: of what its amounts have to be a multiple."""

    decimals: int
    step: int = 1


_HUNDREDTH = Unit(2)
_UNITS = {
    **dict.fromkeys("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(), Unit(0)),
    # Cards know two decimals of these only.
    **dict.fromkeys("bhd jod kwd omr tnd".split(), Unit(3, step=10)),
    # Without decimals of late; Stripe goes on counting hundredths, and takes whole units only. Hungarian forints and
    # Taiwan dollars, special too, are so in payouts alone.
    **dict.fromkeys("isk ugx".split(), Unit(2, step=100)),
}


def minor(amount: Decimal, currency_code: str) -> int:
    """The amount in Stripe's units, rounded half-up to what it takes. Raises Declined where it does not say how."""
    unit = _unit(currency_code)
    steps = (amount.scaleb(unit.decimals) / unit.step).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return int(steps) * unit.step


def major(units: int, currency_code: str) -> Decimal:
    """What so many of Stripe's units are in major units. Raises Declined as minor does."""
    return Decimal(units).scaleb(-_unit(currency_code).decimals)


def _unit(currency_code: str) -> Unit:
    code = currency_code.lower()
    unit = _UNITS.get(code, _HUNDREDTH)
    if unit is _HUNDREDTH and digits(code) != unit.decimals:
        raise Declined(f"Stripe does not support {code.upper()}")
    return unit
