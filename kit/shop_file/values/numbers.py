"""Fields of one number."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from kit.shop_file.values.value import InvalidValue, Value
from kit.values.json import JSON
from kit.values.money import LARGEST, PercentField, without_noise

_FOUR_DECIMALS = Decimal("0.0001")


@dataclass(frozen=True, kw_only=True)
class Integer(Value):
    """A number from 0 up, as far as a database's integer reaches."""

    largest: int = 2**31 - 1
    expected: ClassVar[str] = "a whole number from 0 up"

    def parse(self, raw: object) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw <= self.largest:
            raise InvalidValue
        return raw


@dataclass(frozen=True, kw_only=True)
class Number(Value):
    """A measure, from 0 up, with a float's precision."""

    expected: ClassVar[str] = "a number from 0 up"

    def parse(self, raw: object) -> float:
        number = _decimal(raw)
        if number < 0:
            raise InvalidValue
        if number > LARGEST:
            raise InvalidValue(f"is above {LARGEST}")
        return float(number)


@dataclass(frozen=True, kw_only=True)
class Amount(Value):
    """Money in major units, from 0 up, exact to four decimals; whether its currency has as many is not known here."""

    largest: ClassVar[Decimal] = LARGEST
    expected: ClassVar[str] = "a number"

    def parse(self, raw: object) -> Decimal:
        amount = _decimal(raw)
        if not 0 <= amount <= self.largest:
            raise InvalidValue(f"expected a number from 0 to {self.largest}")
        exact = amount.quantize(_FOUR_DECIMALS)
        if exact != amount:
            raise InvalidValue("has more than 4 decimals")
        return exact

    def dumped(self, row: object, attribute: str) -> JSON:
        amount = getattr(row, attribute)
        return None if amount is None else written(amount)


@dataclass(frozen=True, kw_only=True)
class Percent(Amount):
    """A share in percent, exact to four decimals."""

    largest: ClassVar[Decimal] = Decimal(PercentField.LARGEST)


def written(amount: Decimal) -> int | float:
    """The amount as JSON has it: read again it is the same, since a float holds its fifteen digits."""
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def _decimal(raw: object) -> Decimal:
    if not isinstance(raw, int | float | Decimal) or isinstance(raw, bool):
        raise InvalidValue
    number = without_noise(raw)
    if not number.is_finite():
        raise InvalidValue
    return number
