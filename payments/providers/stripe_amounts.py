"""Amounts in Stripe's units.

Stripe lists minor units, zero-decimal and three-decimal currencies and special cases, here as of November 2026; Stripe
itself decides which currencies can be charged. Source: https://docs.stripe.com/currencies.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from kit.values.money import digits
from payments.providers.base import Declined


@dataclass(frozen=True, slots=True)
class Unit:
    """decimals: how many of a major unit Stripe counts. step: what its amounts must be a multiple of."""

    decimals: int
    step: int = 1


_HUNDREDTH = Unit(2)
_UNITS = {
    **dict.fromkeys("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(), Unit(0)),
    # Cards support only two decimals of these.
    **dict.fromkeys("bhd jod kwd omr tnd".split(), Unit(3, step=10)),
    # Zero-decimal today; Stripe still counts hundredths, and accepts whole units only. Hungarian forints and
    # Taiwan dollars, special too, are so in payouts alone.
    **dict.fromkeys("isk ugx".split(), Unit(2, step=100)),
}


def minor(amount: Decimal, currency_code: str) -> int:
    """The amount in Stripe's units, rounded half-up to its step. Raises Declined for an unsupported currency."""
    unit = _unit(currency_code)
    steps = (amount.scaleb(unit.decimals) / unit.step).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return int(steps) * unit.step


def major(units: int, currency_code: str) -> Decimal:
    """The amount in major units. Raises Declined as minor does."""
    return Decimal(units).scaleb(-_unit(currency_code).decimals)


def _unit(currency_code: str) -> Unit:
    code = currency_code.lower()
    unit = _UNITS.get(code, _HUNDREDTH)
    if unit is _HUNDREDTH and digits(code) != unit.decimals:
        raise Declined(f"Stripe does not support {code.upper()}")
    return unit
