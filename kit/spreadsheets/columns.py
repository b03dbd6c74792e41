"""The columns of a spreadsheet: how the header of a file names one, and how a cell becomes a value and back.

A column may be repeated, by number or by name: `Product Image {} Url`, `Variant Price {}`. What fills the place is the
second half of the name of its field, as in `image:1` and `price:EUR`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from math import isfinite
from typing import Any

from django.utils.timezone import make_aware

from kit.errors import InvalidData, shown
from kit.values.days import day_of, last_moment, moment_of
from kit.values.text import LONGEST, fault, whole_number
from kit.values.timestamps import isoformat, to_millisecond

_SPACES = re.compile(r"[\s_-]+")
_TRUE, _FALSE = ("true", "yes", "1", "active"), ("false", "no", "0")


@dataclass(frozen=True, slots=True)
class Kind:
    """What cells of a column hold. read: the value of a cell that is not empty; raises InvalidData. write: back."""

    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    is_number: bool = False


def _text(longest: int | None, *, one_line: bool = False) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if problem := fault(cell, longest=longest, one_line=one_line):
            raise InvalidData(problem)
        return cell

    return read


def _flag(cell: str) -> bool:
    word = cell.strip().lower()
    if word not in (*_TRUE, *_FALSE):
        raise InvalidData(f"'{shown(cell)}' is neither true nor false. Enter one of them.")
    return word in _TRUE


def _decimal(cell: str) -> Decimal:
    try:
        number = Decimal(cell.strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or len(cell) > LONGEST:
        raise InvalidData(f"'{shown(cell)}' is not a number.")
    if number < 0:
        raise InvalidData("Enter 0 or more.")
    return number


def _measure(cell: str) -> float:
    number = float(_decimal(cell))
    if not isfinite(number):
        raise InvalidData(f"'{shown(cell)}' is not a number.")
    return number


def _whole(cell: str) -> int:
    digits = cell.strip()
    number = whole_number(digits.removeprefix("-"))
    if number is None:
        raise InvalidData(f"'{shown(cell)}' is not a whole number.")
    return -number if digits.startswith("-") else number


def _end(cell: str) -> datetime:
    word = cell.strip()
    day = day_of(word)
    end = moment_of(word) if day is None else last_moment(day)
    if end is None:
        raise InvalidData(f"'{shown(cell)}' is not a date. Enter one like 2027-12-31.")
    try:
        return to_millisecond((end if end.tzinfo else make_aware(end)).astimezone(UTC))
    except OverflowError:
        raise InvalidData(f"'{shown(cell)}' is too early or too late a date.") from None


def plain(number: Decimal | float) -> str:
    """Without an exponent, and without zeros at the end: `12.5`, `1000`."""
    text = f"{Decimal(str(number)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


TEXT = Kind(_text(LONGEST))
LINE = Kind(_text(LONGEST, one_line=True))
LONG_TEXT = Kind(_text(None))
FLAG = Kind(_flag, lambda value: "true" if value else "false")
AMOUNT = Kind(_decimal, plain, is_number=True)
MEASURE = Kind(_measure, plain, is_number=True)
WHOLE = Kind(_whole, is_number=True)
END = Kind(_end, isoformat)
"""When something ends: a time, or a day in the shop's time zone, at its end."""


@dataclass(frozen=True, slots=True)
class Column:
    """field: the name of its values, which ends in `:#` if it is repeated by number, in `:` if by name.

    name: its header in exports, with `{}` if it is repeated. aliases: other headers that name it. is_with_previous:
    whether exports show it beside the column before: Name 1, Value 1, Name 2, Value 2. is_imported: False if an import
    only checks it, such as a status.
    """

    field: str
    name: str
    kind: Kind = TEXT
    aliases: Sequence[str] = ()
    is_with_previous: bool = False
    is_imported: bool = True

    def header(self, field: str) -> str:
        """The header of a field of this column: `Variant Price EUR` of `price:EUR`."""
        return self.name.replace("{}", field.partition(":")[2])


class Columns:
    """All columns of a spreadsheet. Headers are compared without regard to case, hyphens and underscores."""

    def __init__(self, columns: Iterable[Column]) -> None:
        self.all = tuple(columns)
        self._by_field = {column.field: column for column in self.all}
        self._names: dict[str, str] = {}
        patterns: dict[str, str] = {}
        for column in self.all:
            for name in (column.name, *column.aliases):
                if "{}" in name:
                    patterns[name] = column.field
                else:
                    self._names.setdefault(_folded(name), column.field)
        self._patterns = [
            (_pattern(name, patterns[name]), patterns[name].removesuffix("#"))
            for name in sorted(patterns, key=len, reverse=True)  # the more particular ones first
        ]

    def recognised(self, header: str) -> str:
        """The field that the header names, or ""."""
        if field := self._names.get(_folded(header)):
            return field
        matches = ((pattern.fullmatch(header.strip()), field) for pattern, field in self._patterns)
        return next((field + found[1] for found, field in matches if found), "")

    def ordered(self, fields: Iterable[str]) -> list[str]:
        """These fields in the order of exports."""
        place = {column.field: index for index, column in enumerate(self.all)}

        def key(field: str) -> tuple[int, int, str, int]:
            column, part = self.of(field), field.partition(":")[2]
            if column is None:
                raise KeyError(field)
            at = place[column.field]
            return at - column.is_with_previous, int(part) if part.isdecimal() else 0, part, at

        return sorted(fields, key=key)

    def of(self, field: str) -> Column | None:
        """The column of a field, such as that of `price:eur`."""
        stem, _, part = field.partition(":")
        names = (field,) if not part else (f"{stem}:#", f"{stem}:") if part.isdecimal() else (f"{stem}:",)
        return next((self._by_field[name] for name in names if name in self._by_field), None)

    def header(self, field: str) -> str:
        """How exports name the field; the field itself if there is no such column."""
        column = self.of(field)
        return column.header(field) if column else field


def with_stems(values: Iterable[tuple[str, Any]], stems: Collection[str]) -> dict[str, Any]:
    """The values of fields with these stems: `price` is that of `price:EUR`."""
    return {field: value for field, value in values if field.partition(":")[0] in stems}


def digest_of(headers: Sequence[str]) -> str:
    """The key under which the mapping of these headers is remembered."""
    return sha256("\0".join(map(_folded, headers)).encode()).hexdigest()


def _folded(header: str) -> str:
    return _SPACES.sub(" ", header).strip().casefold()


def _pattern(name: str, field: str) -> re.Pattern[str]:
    place = r"([1-9]\d{0,2})" if field.endswith("#") else r"(\S.*)"
    parts = [r"[\s_-]*".join(map(re.escape, part.split())) for part in name.split("{}")]
    return re.compile(r"[\s_-]*".join([parts[0], place, parts[1]]), re.IGNORECASE)
