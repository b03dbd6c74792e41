"""Fields of one word, text, flag or moment."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from commerce.kit.core import text
from commerce.kit.core.ids import ID_MAX_LENGTH
from commerce.kit.core.timestamps import to_millisecond
from commerce.kit.shop_file.values.value import Misfit, Value, shown


@dataclass(frozen=True, kw_only=True)
class Text(Value):
    """longest: in characters."""

    longest: int | None = None
    may_be_blank: bool = True
    expected: ClassVar[str] = "a text"

    def understood(self, raw: Any) -> str:
        if not isinstance(raw, str):
            raise Misfit
        problem = text.fault(raw, longest=self.longest, may_be_blank=self.may_be_blank)
        if problem:
            raise Misfit(problem)
        return raw


@dataclass(frozen=True, kw_only=True)
class Id(Value):
    """An id of our own form. Other characters than letters, digits and underscores would disturb the paths of trees."""

    prefix: str
    expected: ClassVar[str] = "an id"

    def understood(self, raw: Any) -> str:
        if not isinstance(raw, str):
            raise Misfit
        if len(raw) > ID_MAX_LENGTH or not re.fullmatch(rf"{self.prefix}_[0-9A-Za-z_]+", raw):
            raise Misfit(f"expected an id that begins with {self.prefix}_, got {shown(raw)}")
        return raw


@dataclass(frozen=True, kw_only=True)
class Choice(Value):
    """One of a few words."""

    choices: tuple[str, ...]
    expected: ClassVar[str] = "a word"

    def understood(self, raw: Any) -> str:
        if raw not in self.choices:
            raise Misfit(f"expected {' or '.join(self.choices)}, got {shown(raw)}")
        return str(raw)


@dataclass(frozen=True, kw_only=True)
class Flag(Value):
    """True or false."""

    expected: ClassVar[str] = "true or false"

    def understood(self, raw: Any) -> bool:
        if not isinstance(raw, bool):
            raise Misfit
        return raw


@dataclass(frozen=True, kw_only=True)
class Moment(Value):
    """A point in time with its offset from UTC, kept to the millisecond."""

    expected: ClassVar[str] = "a date and time like 2026-01-31T12:00:00Z"

    def understood(self, raw: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(raw)
            if moment.tzinfo is None:
                raise Misfit
            return to_millisecond(moment.astimezone(UTC))
        except (TypeError, ValueError, OverflowError) as error:
            raise Misfit from error
