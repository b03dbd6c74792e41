"""Money: Decimal in code, in major units; BIGINT of 1/10,000 major unit in both databases.

SQLite has no exact decimals, so CHECKs and sums on them would lie; integers are exact everywhere.
Why: docs/decisions/catalogue.md#money-is-stored-in-integers.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from math import lcm, ulp
from typing import Any

import pycountry
from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from kit.errors import InvalidData, shown
from kit.values.rounding import split

_SCALE = Decimal(10_000)
HUNDRED_PERCENT = 100 * 10_000
"""100 %, as a PercentField stores it."""
LARGEST = Decimal(10) ** 11
_BINARY_NOISE = Decimal("1e-9")
_STEPS = (10_000, 1_000, 100, 10, 1)
_CURRENCIES = frozenset(entry.alpha_3.lower() for entry in pycountry.currencies)
# ISO 4217 gives every currency two decimals, except these. No library at hand has its minor units: CLDR's fractions
# (babel) are those that people write, and differ for about twenty codes.
_DIGITS = {
    **dict.fromkeys("bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf".split(), 0),
    **dict.fromkeys("bhd iqd jod kwd lyd omr tnd".split(), 3),
    **dict.fromkeys("clf uyw".split(), 4),
}


def currency(code: str, *, field: str = "currency_code") -> str:
    """The code in the stored form, lower-case. Raises InvalidData for what ISO 4217 does not list."""
    lower = code.lower()
    if lower not in _CURRENCIES:
        raise InvalidData(f"'{shown(code)}' of field '{field}' is not an ISO 4217 currency code")
    return lower


def digits(currency_code: str) -> int:
    """Decimal places of the currency: 2 for usd, 0 for jpy, 3 for kwd."""
    return _DIGITS.get(currency_code.lower(), 2)


def step(currency_code: str) -> int:
    """The smallest amount in the currency, in 1/10,000 of its major unit: 100 for usd, 10,000 for jpy."""
    return _STEPS[digits(currency_code)]


def rounded(amount: Decimal, currency_code: str) -> Decimal:
    """The amount rounded half-up to the currency's digits."""
    return amount.quantize(Decimal(1).scaleb(-digits(currency_code)), rounding=ROUND_HALF_UP)


def text(amount: Decimal, currency_code: str) -> str:
    """`1,250.00 usd`."""
    return f"{rounded(amount, currency_code):,} {currency_code}"


def stored(amount: Decimal) -> int:
    """The amount as the databases hold it, in 1/10,000. Raises ValueError for one that they cannot hold."""
    scaled = amount * _SCALE
    if not scaled.is_finite() or scaled != scaled.to_integral_value() or abs(amount) > LARGEST:
        raise ValueError(f"{amount} is not an amount that the ledger can hold")
    return int(scaled)


def major(units: int) -> Decimal:
    """The amount in major units, from the databases' 1/10,000."""
    return Decimal(units) / _SCALE


def without_noise(number: float | Decimal) -> Decimal:
    """A number from JSON as the decimal that its sender meant: 0.3 for 0.1 + 0.2, which is 0.30000000000000004.

    It is the nearest one with four decimals if binary arithmetic explains the difference, at most 1e-9 or two units in
    the last place; any other number stays as it is.
    """
    given = Decimal(str(number))
    if not given.is_finite() or abs(given) > LARGEST:
        return given
    nearest = given.quantize(1 / _SCALE, rounding=ROUND_HALF_UP)
    noise = max(_BINARY_NOISE, 2 * Decimal(ulp(float(given))))
    return nearest if abs(nearest - given) <= noise else given


def exact(value: str | float | Decimal, currency_code: str, *, field: str = "amount") -> Decimal:
    """An amount with at most the currency's decimals. Raises InvalidData for anything else, and above 10^11."""
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise InvalidData(f"Expected type: 'number' for field '{field}', got: '{shown(value)}'") from None
    if not amount.is_finite() or abs(amount) > LARGEST:
        raise InvalidData(f"Value for field '{field}' is out of bounds, at most {LARGEST} is accepted")
    if amount != rounded(amount, currency_code):
        raise InvalidData(
            f"Value for field '{field}' has more than {digits(currency_code)} decimals of {currency_code}"
        )
    return rounded(amount, currency_code)


def percent(value: str | float | Decimal, *, field: str) -> Decimal:
    """A percentage, 0 to 1000 with at most four decimals. Raises InvalidData for anything else."""
    try:
        share = Decimal(str(value))
    except InvalidOperation:
        raise InvalidData(f"Expected type: 'number' for field '{field}', got: '{shown(value)}'") from None
    if not share.is_finite() or not 0 <= share <= PercentField.LARGEST:
        raise InvalidData(f"Value for field '{field}' is out of bounds, 0 to {PercentField.LARGEST} is accepted")
    if share * _SCALE != (share * _SCALE).to_integral_value():
        raise InvalidData(f"Value for field '{field}' has more than 4 decimals")
    return share


def percent_text(share: Decimal | float) -> str:
    """The percentage for people, such as `9.975 %`."""
    return f"{Decimal(str(share)).normalize():f} %"


def shares(total: Decimal, weights: Sequence[Decimal], currency_code: str) -> list[Decimal]:
    """The total split by weight, by largest remainder (kit.values.rounding.split).

    total: with at most the currency's decimals, of either sign. weights: 0 or more; where all are 0 the shares are
    equal. The shares sum to the total and none has the opposite sign.
    Raises ValueError for other totals and weights, and for an amount to be shared by none.
    """
    if total != rounded(total, currency_code):
        raise ValueError(f"{total} is not an amount that {currency_code} can pay")
    ratios = [weight.as_integer_ratio() for weight in weights]
    common = lcm(*(denominator for _, denominator in ratios))
    whole_weights = [numerator * (common // denominator) for numerator, denominator in ratios]
    parts = split(int(abs(total) * _SCALE), whole_weights, step(currency_code))
    return [rounded(Decimal(-part if total < 0 else part) / _SCALE, currency_code) for part in parts]


class MoneyField(models.BigIntegerField[Any, Any]):
    """An amount in major units (Decimal), stored as an integer of 1/10,000."""

    _pyi_private_set_type: Any  # for mypy: an integer's own stubs refuse a Decimal

    def from_db_value(self, value: int | None, *_: object) -> Decimal | None:
        return None if value is None else major(value)

    def to_python(self, value: object) -> Decimal | None:
        if value is None:
            return None
        try:
            return Decimal(str(value))
        except InvalidOperation as error:
            raise ValidationError(f"'{value}' is not an amount") from error

    def get_prep_value(self, value: object) -> int | None:
        amount = self.to_python(value)
        return None if amount is None else stored(amount)

    def formfield(self, **kwargs: Any) -> forms.Field | None:
        """A form takes as many decimals as are stored, where the column's own would take whole numbers."""
        decimal = {"form_class": forms.DecimalField, "decimal_places": 4, "max_digits": 15}
        return models.Field.formfield(self, **{**decimal, **kwargs})


class PercentField(MoneyField):
    """A share in percent (Decimal), to four decimals, stored as money is: exact on both databases."""

    LARGEST = 1000

    def formfield(self, **kwargs: Any) -> forms.Field | None:
        return super().formfield(**{"min_value": 0, "max_value": self.LARGEST, **kwargs})
