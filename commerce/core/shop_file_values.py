"""What the fields of a shop file may hold."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar

from commerce.core import metadata, text
from commerce.core.absent import ABSENT
from commerce.core.ids import ID_MAX_LENGTH
from commerce.core.shop_file_problems import Problems
from commerce.core.timestamps import to_millisecond

_SHORTENED = 60


class Misfit(Exception):
    """A value that its field cannot take; without a message, it is of another kind than expected."""


@dataclass(frozen=True, kw_only=True)
class Value(ABC):
    """A field. `required` is meant for new objects: for those that are there, a field left out means no change."""

    required: bool = False
    nullable: bool = False
    expected: ClassVar[str]

    def read(self, raw: Any, path: str, problems: Problems) -> Any:
        """The Python value, or ABSENT after its problem is told."""
        if raw is None and self.nullable:
            return None
        try:
            return self.understood(raw)
        except Misfit as misfit:
            problems.add(path, str(misfit) or f"expected {self.expected}, got {_shown(raw)}")
            return ABSENT

    @abstractmethod
    def understood(self, raw: Any) -> Any:
        """The Python value of the JSON value. Raises Misfit."""


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
            raise Misfit(f"expected an id that begins with {self.prefix}_, got {_shown(raw)}")
        return raw


@dataclass(frozen=True, kw_only=True)
class Choice(Value):
    """One of a few words."""

    choices: tuple[str, ...]
    expected: ClassVar[str] = "a word"

    def understood(self, raw: Any) -> str:
        if raw not in self.choices:
            raise Misfit(f"expected {' or '.join(self.choices)}, got {_shown(raw)}")
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
class WholeNumber(Value):
    """A number from 0 up, as far as a database's integer reaches."""

    largest: int = 2**31 - 1
    expected: ClassVar[str] = "a whole number from 0 up"

    def understood(self, raw: Any) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw <= self.largest:
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


@dataclass(frozen=True, kw_only=True)
class Metadata(Value):
    """An object of the shop's own."""

    nullable: bool = True
    expected: ClassVar[str] = "an object"

    def understood(self, raw: Any) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise Misfit
        value: dict[str, Any] = _with_floats(raw)
        problem = metadata.fault(value)
        if problem:
            raise Misfit(problem)
        return value


@dataclass(frozen=True, kw_only=True)
class Texts(Value):
    """A list of texts."""

    expected: ClassVar[str] = "a list"

    def read(self, raw: Any, path: str, problems: Problems) -> Any:
        values = super().read(raw, path, problems)
        if values is ABSENT:
            return ABSENT
        found = [Text().read(value, f"{path}[{index}]", problems) for index, value in enumerate(values)]
        return ABSENT if ABSENT in found else found

    def understood(self, raw: Any) -> list[Any]:
        if not isinstance(raw, list):
            raise Misfit
        return raw


@dataclass(frozen=True, kw_only=True)
class NotBuilt(Value):
    """A field of the format whose app does not exist yet; only null is harmless."""

    what: str
    nullable: bool = True
    expected: ClassVar[str] = "null"

    def understood(self, raw: Any) -> None:
        raise Misfit(f"{self.what} are not built yet; leave the field out")


@dataclass(slots=True)
class Entry:
    """An object of a file as read: `given` holds the fields that it gives, without those that have a problem."""

    path: str
    given: dict[str, Any]
    is_sound: bool


def read_object(raw: Any, path: str, fields: Mapping[str, Value], problems: Problems) -> Entry:
    """The object with its values read; unknown fields are problems."""
    before = problems.count
    given: dict[str, Any] = {}
    if isinstance(raw, dict):
        for name, value in raw.items():
            if name in fields:
                given[name] = fields[name].read(value, f"{path}.{name}", problems)
            else:
                problems.add(f"{path}.{_shortened(name)}", "unknown field")
    else:
        problems.add(path, f"expected an object, got {_shown(raw)}")
    sound = {name: value for name, value in given.items() if value is not ABSENT}
    return Entry(path, sound, is_sound=problems.count == before)


def _with_floats(value: Any) -> Any:
    """The JSON value with floats for the exact decimals that money is read as."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _with_floats(inner) for key, inner in value.items()}
    return [_with_floats(inner) for inner in value] if isinstance(value, list) else value


def _shown(raw: Any) -> str:
    if isinstance(raw, dict):
        return "an object"
    if isinstance(raw, list):
        return "a list"
    return _shortened(str(raw) if isinstance(raw, Decimal) else json.dumps(raw, ensure_ascii=False))


def _shortened(words: str) -> str:
    return words if len(words) <= _SHORTENED else f"{words[:_SHORTENED]}…"
