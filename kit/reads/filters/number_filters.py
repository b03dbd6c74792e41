"""Filters of amounts and whole numbers."""

import re
from decimal import Decimal
from typing import Any, ClassVar

from kit.errors import shown
from kit.reads.filters.filters import ComparedFilter, Refused
from kit.values.money import LARGEST, stored, without_noise

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")


class NumberFilter(ComparedFilter):
    """A whole number of up to 18 digits."""

    openapi_schema: ClassVar[dict[str, Any]] = {"type": "integer"}

    def value(self, raw: Any, *, name: str) -> int:
        return int(_spelled(raw, _WHOLE, name=name))


class AmountFilter(ComparedFilter):
    """An amount in major units, with up to four decimals."""

    openapi_schema: ClassVar[dict[str, Any]] = {"type": "number"}

    def value(self, raw: Any, *, name: str) -> Decimal:
        amount = without_noise(Decimal(_spelled(raw, _DECIMAL, name=name)))
        try:
            stored(amount)
        except ValueError:
            raise Refused(f"Value for field '{name}' is out of bounds: at most {LARGEST}, with 4 decimals") from None
        return amount


def _spelled(raw: Any, pattern: re.Pattern[str], *, name: str) -> str:
    """The number's text. GraphQL sends numbers, a query string only texts."""
    is_number = isinstance(raw, int | float) and not isinstance(raw, bool)
    text = raw if isinstance(raw, str) else format(Decimal(str(raw)), "f") if is_number else ""
    if not pattern.fullmatch(text):
        raise Refused(f"Expected type: 'number' for field '{name}', got: '{shown(raw)}'")
    return text
