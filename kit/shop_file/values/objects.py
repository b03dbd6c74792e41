"""Fields of several values: lists, and objects with fields of their own."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from kit.domain.absent import ABSENT
from kit.shop_file.problems import Problems
from kit.shop_file.values.scalars import Text
from kit.shop_file.values.value import InvalidValue, Value, shortened, shown
from kit.values import metadata, text


@dataclass(slots=True)
class Entry:
    """An object of a file as read: `given` holds the fields that it gives, without those that have a problem."""

    path: str
    given: dict[str, Any]
    is_sound: bool


def read_object(raw: object, path: str, fields: Mapping[str, Value], problems: Problems) -> Entry:
    """The object with its values read; unknown fields are problems."""
    before = problems.count
    given: dict[str, object] = {}
    if isinstance(raw, dict):
        for name, value in raw.items():
            if name in fields:
                given[name] = fields[name].read(value, f"{path}.{name}", problems)
            else:
                problems.add(f"{path}.{shortened(name)}", "unknown field")
    else:
        problems.add(path, f"expected an object, got {shown(raw)}")
    sound = {name: value for name, value in given.items() if value is not ABSENT}
    return Entry(path, sound, is_sound=problems.count == before)


@dataclass(frozen=True, kw_only=True)
class Object(Value):
    """An object within an object, read as an Entry.

    partial: its required fields apply to new rows, so the section checks them; otherwise they are checked here.
    """

    fields: Mapping[str, Value]
    partial: bool = False
    expected: ClassVar[str] = "an object"

    def read(self, raw: object, path: str, problems: Problems) -> object:
        found = super().read(raw, path, problems)
        if not isinstance(found, dict):
            return found
        entry = read_object(found, path, self.fields, problems)
        for name, field in self.fields.items():
            if field.required and not self.partial and name not in found:
                problems.add(f"{path}.{name}", "is required")
                entry.is_sound = False
        return entry if entry.is_sound else ABSENT

    def parse(self, raw: object) -> dict[str, object]:
        if not isinstance(raw, dict):
            raise InvalidValue
        return raw


@dataclass(frozen=True, kw_only=True)
class List(Value):
    """A list of values of one kind; one invalid value makes the list invalid."""

    expected: ClassVar[str] = "a list"

    @abstractmethod
    def element(self) -> Value:
        """What each of the list is."""

    def read(self, raw: object, path: str, problems: Problems) -> object:
        found = super().read(raw, path, problems)
        if not isinstance(found, list):
            return found
        element = self.element()
        values = [element.read(value, f"{path}[{index}]", problems) for index, value in enumerate(found)]
        return ABSENT if any(value is ABSENT for value in values) else values

    def parse(self, raw: object) -> list[object]:
        if not isinstance(raw, list):
            raise InvalidValue
        return raw


@dataclass(frozen=True, kw_only=True)
class Texts(List):
    """A list of texts."""

    longest: int | None = None
    may_be_blank: bool = True

    def element(self) -> Text:
        return Text(longest=self.longest, may_be_blank=self.may_be_blank)


@dataclass(frozen=True, kw_only=True)
class Objects(List):
    """A list of objects, each read as an Entry; `partial` as in Object."""

    fields: Mapping[str, Value]
    partial: bool = False

    def element(self) -> Object:
        return Object(fields=self.fields, partial=self.partial)


@dataclass(frozen=True, kw_only=True)
class ByKey(Value):
    """An object whose keys the shop chooses, with values of one kind; one invalid value makes the object invalid.

    longest: of a key, in characters.
    """

    each: Value
    longest: int | None = None
    expected: ClassVar[str] = "an object"

    def read(self, raw: object, path: str, problems: Problems) -> object:
        found = super().read(raw, path, problems)
        if not isinstance(found, dict):
            return found
        values = {key: self.each.read(value, f"{path}.{shortened(key)}", problems) for key, value in found.items()}
        return ABSENT if any(value is ABSENT for value in values.values()) else values

    def parse(self, raw: object) -> dict[str, object]:
        if not isinstance(raw, dict):
            raise InvalidValue
        for problem in filter(None, map(text.fault, raw)):
            raise InvalidValue(f"has a key that {problem}")
        if self.longest is not None and any(len(key) > self.longest for key in raw):
            raise InvalidValue(f"has a key of more than {self.longest} characters")
        return raw


@dataclass(frozen=True, kw_only=True)
class Metadata(Value):
    """An object of the shop's own."""

    nullable: bool = True
    expected: ClassVar[str] = "an object"

    def parse(self, raw: object) -> dict[str, object]:
        if not isinstance(raw, dict):
            raise InvalidValue
        value = {key: _with_floats(inner) for key, inner in raw.items()}
        problem = metadata.fault(value)
        if problem:
            raise InvalidValue(problem)
        return value


def _with_floats(value: object) -> object:
    """The JSON value with floats for the exact decimals that money is read as."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _with_floats(inner) for key, inner in value.items()}
    return [_with_floats(inner) for inner in value] if isinstance(value, list) else value
