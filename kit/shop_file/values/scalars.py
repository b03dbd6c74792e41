"""Fields of one word, text, flag, day or moment."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import ClassVar

from kit.shop_file.values.value import InvalidValue, Value, shown
from kit.values import text
from kit.values.days import day_of
from kit.values.ids import ID_MAX_LENGTH
from kit.values.json import JSON
from kit.values.timestamps import isoformat, to_millisecond


@dataclass(frozen=True, kw_only=True)
class Text(Value):
    """longest: in characters."""

    longest: int | None = None
    may_be_blank: bool = True
    expected: ClassVar[str] = "a text"

    def parse(self, raw: object) -> str:
        if not isinstance(raw, str):
            raise InvalidValue
        problem = text.fault(raw, longest=self.longest, may_be_blank=self.may_be_blank)
        if problem:
            raise InvalidValue(problem)
        return raw


@dataclass(frozen=True, kw_only=True)
class Id(Value):
    """An id of our own form. Characters other than letters, digits and underscores would break the paths of trees."""

    prefix: str
    expected: ClassVar[str] = "an id"

    def parse(self, raw: object) -> str:
        if not isinstance(raw, str):
            raise InvalidValue
        if len(raw) > ID_MAX_LENGTH or not re.fullmatch(rf"{self.prefix}_[0-9A-Za-z_]+", raw):
            raise InvalidValue(f"expected an id that begins with {self.prefix}_, got {shown(raw)}")
        return raw


@dataclass(frozen=True, kw_only=True)
class Choice(Value):
    """One of a few words."""

    choices: tuple[str, ...]
    expected: ClassVar[str] = "a word"

    def parse(self, raw: object) -> str:
        if raw not in self.choices:
            raise InvalidValue(f"expected {' or '.join(self.choices)}, got {shown(raw)}")
        return str(raw)


@dataclass(frozen=True, kw_only=True)
class Boolean(Value):
    """True or false."""

    expected: ClassVar[str] = "true or false"

    def parse(self, raw: object) -> bool:
        if not isinstance(raw, bool):
            raise InvalidValue
        return raw


@dataclass(frozen=True, kw_only=True)
class Day(Value):
    """A day of the calendar."""

    expected: ClassVar[str] = "a date like 2026-01-31"

    def parse(self, raw: object) -> date:
        day = day_of(raw) if isinstance(raw, str) else None
        if day is None:
            raise InvalidValue
        return day

    def dumped(self, row: object, attribute: str) -> JSON:
        day: date | None = getattr(row, attribute)
        return None if day is None else day.isoformat()


@dataclass(frozen=True, kw_only=True)
class DateTime(Value):
    """A point in time with its offset from UTC, kept to the millisecond."""

    expected: ClassVar[str] = "a date and time like 2026-01-31T12:00:00Z"

    def parse(self, raw: object) -> datetime:
        if not isinstance(raw, str):
            raise InvalidValue
        try:
            moment = datetime.fromisoformat(raw)
            if moment.tzinfo is None:
                raise InvalidValue
            return to_millisecond(moment.astimezone(UTC))
        except (ValueError, OverflowError) as error:
            raise InvalidValue from error

    def dumped(self, row: object, attribute: str) -> JSON:
        moment = getattr(row, attribute)
        return None if moment is None else isoformat(moment)
