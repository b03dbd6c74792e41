"""Amounts as people type them: `3,40`, `1.234,50`, `1 234,50`, `1'234.50`. For forms and spreadsheets: JSON is strict.

Why: docs/decisions/staff.md#amounts-as-people-type-them.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from kit.values.currency_symbols import sign, symbol_native
from kit.values.money import LARGEST, digits

_SPACES, _APOSTROPHES = str.maketrans("\u00a0\u202f", "  "), str.maketrans("\u2019", "'")
_SIGNS = "+-\u2212"
_DECIMAL = re.compile(r"[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+")
_GROUPED = re.compile(
    r"[1-9][0-9]{0,2}([ '.,])[0-9]{3}(?:\1[0-9]{3})*(?:(?!\1)[.,][0-9]*)?"
    r"|[1-9][0-9]?(,)(?:[0-9]{2},)+[0-9]{3}(?:\.[0-9]*)?"  # 12,34,567.50, as in India
)


class Scale(NamedTuple):
    """Which numbers are possible: at most so many decimals, and at most so large."""

    digits: int
    most: Decimal = LARGEST

    def holds(self, number: Decimal) -> bool:
        """Whether the number is possible."""
        return abs(number) <= self.most and number == round(number, self.digits)


ANY = Scale(4)
"""Amounts whose currency nobody knows, and measures."""

LONGEST = 500
"""Characters of a number: far more than any has, and few enough to compute with."""

PERCENT = Scale(4, Decimal(100))

WHOLE = Scale(0)
"""Counts, which can be below 0."""


class NotRead(ValueError):
    """The text is no number, or it is one of two."""


def scale_of(currency_code: str) -> Scale:
    """The amounts that the currency can pay."""
    return Scale(digits(currency_code))


def without_sign(text: str, currency_code: str) -> str:
    """The text without what the currency is written with: `3.40` for `£3.40`, `GBP 3.40` and `3.40 £`."""
    marks = {currency_code, sign(currency_code), symbol_native(currency_code)}
    return without_mark(text, sorted(marks, key=len, reverse=True))  # `MOP$` before `MOP`


def without_mark(text: str, marks: Iterable[str]) -> str:
    """The text without one of the marks before or after the number."""
    plain = text.strip().translate(_SPACES)
    minus, number = (plain[0], plain[1:].strip()) if plain[:1] in tuple(_SIGNS) else ("", plain)
    for mark in marks:
        if number[: len(mark)].casefold() == mark.casefold():
            return minus + number[len(mark) :].strip()
        if number[-len(mark) :].casefold() == mark.casefold():
            return minus + number[: -len(mark)].strip()
    return text


def read(text: str, scale: Scale) -> Decimal:
    """The number that the text can only mean. Raises NotRead, which says what else it could.

    One separator before three digits is the decimal one where the scale has three digits, and none where it has none. A
    number that is not possible, but the only one, is returned too: the caller's checks say what is wrong with it.
    """
    if len(text.strip()) > LONGEST:
        raise NotRead(f"Enter at most {LONGEST} characters.")
    plain = text.strip().translate(_SPACES).translate(_APOSTROPHES)
    sign = plain[:1] if plain[:1] in _SIGNS else ""
    read_as = (_as_decimal(plain[len(sign) :]), _as_grouped(plain[len(sign) :]))
    found = [number if sign in ("", "+") else number.copy_negate() for number in read_as if number is not None]
    if len(found) == 2 and scale.digits in (0, 3):
        return found[scale.digits == 0]
    possible = [number for number in found if scale.holds(number)]
    if len(possible) == 2:
        one, other = (f"{number:.{scale.digits}f}" for number in possible)
        raise NotRead(f"'{text.strip()}' can be {one} or {other}. Enter one of the two.")
    if not found:
        raise NotRead("Enter a number.")
    return (possible or found)[0]


def _as_decimal(text: str) -> Decimal | None:
    """The number if any separator is the decimal one."""
    return Decimal(text.replace(",", ".")) if _DECIMAL.fullmatch(text) else None


def _as_grouped(text: str) -> Decimal | None:
    """The number if the first separator is that of the thousands."""
    grouped = _GROUPED.fullmatch(text)
    return Decimal(text.replace(grouped[1] or grouped[2], "").replace(",", ".")) if grouped else None
