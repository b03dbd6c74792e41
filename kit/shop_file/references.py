"""Fields that name rows, by a natural key or by id. One statement per field looks up all names of a batch.

`resolve` replaces names with ids; an unknown name is a problem at its path.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from kit.shop_file.problems import Problems
from kit.shop_file.values import ByKey, Entry, Object, Objects, Text, Texts, Value
from kit.values.json import JSON


@dataclass(frozen=True)
class Target:
    """Rows that can be named: those of `model` that are not deleted, by their field `name`; `key` is their section.

    normalized: what the section makes of a name that it does not store as it is.
    """

    model: type[models.Model]
    name: str
    key: str
    normalized: Callable[[str], str] = str

    def rows(self) -> models.QuerySet[models.Model]:
        """The rows that can be named."""
        return self.model._default_manager.filter(deleted_at=None)

    def ids_by_name(self, named: Iterable[str]) -> dict[str, str]:
        """The ids of the rows with these names or ids, by both."""
        words = {word: self.normalized(word) for word in named}
        names = {*words, *words.values()}
        matching = models.Q(**{f"{self.name}__in": names}) | models.Q(pk__in=[*words])
        rows = self.rows().filter(matching).values_list("pk", self.name)
        ids = {spelling: pk for pk, name in rows for spelling in (pk, name)}
        return {word: ids.get(word) or ids[name] for word, name in words.items() if word in ids or name in ids}

    def report_unknown(self, word: str, path: str, problems: Problems) -> None:
        """Report that nothing has the name, unless the file has such an object, whose own problems are reported."""
        if not problems.is_invalid(self.key, word):
            problems.add(path, f"there is no {self.model._meta.verbose_name} '{word}'")


@dataclass(frozen=True, kw_only=True)
class Reference(Value):
    """A field that names rows."""

    target: Target

    @abstractmethod
    def words(self, value: Any) -> Mapping[str, str]:
        """The names in the value as read, with what follows the field's path where each stands."""

    @abstractmethod
    def resolved(self, value: Any, found: Mapping[str, str]) -> object:
        """The value with ids in the place of its names, all of which are found."""


@dataclass(frozen=True, kw_only=True)
class Named(Text, Reference):
    """The name of one row."""

    def words(self, value: str) -> dict[str, str]:
        return {value: ""}

    def resolved(self, value: str, found: Mapping[str, str]) -> str:
        return found[value]

    def dumped(self, row: object, attribute: str) -> JSON:
        related = getattr(row, attribute)
        return None if related is None else super().dumped(related, self.target.name)


@dataclass(frozen=True, kw_only=True)
class NamesOf(Texts, Reference):
    """A list of names; each row counts once. On a section of rows it is the many-to-many field of its name."""

    def words(self, value: list[str]) -> dict[str, str]:
        return {word: f"[{index}]" for index, word in reversed(list(enumerate(value)))}

    def resolved(self, value: list[str], found: Mapping[str, str]) -> list[str]:
        return list(dict.fromkeys(found[word] for word in value))

    def dumped(self, row: object, attribute: str) -> JSON:
        return sorted(getattr(related, self.target.name) for related in getattr(row, attribute).all())


@dataclass(frozen=True, kw_only=True)
class ByName(ByKey, Reference):
    """An object whose keys are names, with a value for each."""

    def words(self, value: dict[str, object]) -> dict[str, str]:
        return {word: f".{word}" for word in value}

    def resolved(self, value: dict[str, object], found: Mapping[str, str]) -> dict[str, object]:
        return {found[word]: one for word, one in value.items()}


def resolve(entries: Sequence[Entry], fields: Mapping[str, Value], problems: Problems) -> None:
    """Replace names with ids, in the objects and in those within them. Objects with unknown names are invalid."""
    for name, value in fields.items():
        holders = [entry for entry in entries if entry.given.get(name) is not None]
        if isinstance(value, Reference):
            _resolve_field(holders, name, value, problems)
        elif isinstance(value, Object | Objects):
            within = {entry.path: _objects(entry.given[name]) for entry in holders}
            resolve([inner for inners in within.values() for inner in inners], value.fields, problems)
            for entry in holders:
                entry.is_sound = entry.is_sound and all(inner.is_sound for inner in within[entry.path])


def _resolve_field(holders: Sequence[Entry], name: str, reference: Reference, problems: Problems) -> None:
    words = {entry.path: reference.words(entry.given[name]) for entry in holders}
    found = reference.target.ids_by_name({word for of_entry in words.values() for word in of_entry}) if holders else {}
    for entry in holders:
        unknown = {word: place for word, place in words[entry.path].items() if word not in found}
        for word, place in unknown.items():
            reference.target.report_unknown(word, f"{entry.path}.{name}{place}", problems)
        if unknown:
            del entry.given[name]
            entry.is_sound = False
        else:
            entry.given[name] = reference.resolved(entry.given[name], found)


def _objects(value: Entry | list[Entry]) -> list[Entry]:
    return value if isinstance(value, list) else [value]
