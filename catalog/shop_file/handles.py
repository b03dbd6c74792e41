"""Handles that a file leaves out are derived from the name; others are made fit for URLs."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.db import models
from django.utils.text import slugify

from catalog.errors import HandleRequired
from catalog.handles import handle_of, normalized_if_possible, problem
from catalog.models.former_handles import FORMER
from kit.editing.changes import Row
from kit.shop_file.problems import Problems
from kit.shop_file.sections import RowsSection, Section
from kit.shop_file.values import Entry, Text, Texts, Value
from kit.values.json import JSON
from kit.values.text import LONGEST

SEARCH_ENGINES: Mapping[str, Value] = {
    "seo_title": Text(nullable=True, longest=LONGEST),
    "seo_description": Text(nullable=True),
}


@dataclass(frozen=True, kw_only=True)
class FormerHandles(Texts):
    """The handles that a row had before."""

    longest: int | None = LONGEST
    may_be_blank: bool = False

    def dumped(self, row: object, attribute: str) -> JSON:
        return sorted(each.handle for each in getattr(row, attribute).all())


HANDLE = Text(longest=LONGEST, may_be_blank=False)
"""Not required: it follows from the title."""
FORMER_HANDLES = FormerHandles()


def handle_or_default(entry: Entry, *, name: str) -> str | None:
    """The object's handle, or one derived from its field `name`; None if neither is given, or it has no letters."""
    if "handle" in entry.given or name not in entry.given:
        return entry.given.get("handle")
    try:
        return handle_of(entry.given[name])
    except HandleRequired:
        return None


def normalize_handles(entries: Sequence[Entry], rows: models.QuerySet[Row]) -> None:
    """Make the given handles fit for URLs, apart from those of stored rows. One statement if there are others."""
    unsafe: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if problem(handle := entry.given.get("handle", "handle")):
            unsafe[handle].append(entry)
    kept = set(rows.filter(handle__in=[*unsafe]).values_list("handle", flat=True)) if unsafe else set()
    for handle in unsafe.keys() - kept:
        for entry in unsafe[handle]:
            entry.given["handle"] = normalized_if_possible(handle)


def refuse_repeated(section: Section, entries: Sequence[Entry], places: dict[str, str]) -> None:
    """Refuse objects with former handles of other objects. places: of those that the file has had until now."""
    for entry in entries:
        for handle in entry.given.get(FORMER, ()):
            if (place := places.setdefault(handle, entry.path)) != entry.path:
                section.refuse(entry, f"'{handle}' already appears at {place}", field=FORMER)


def is_same_title(one: str, other: str) -> bool:
    """Whether two titles differ in letter case and blanks alone."""
    return _folded(one) == _folded(other)


def other_title(title: str, other: str, *, place: str) -> str:
    """The problem of an object without a handle, whose title gives it that of another one."""
    return f"'{title}' would have the same handle as '{other}' ({place}): give each its `handle`"


class TitledRows(RowsSection[Row]):
    """Rows whose natural key is their handle. A new row without one gets it from its title."""

    natural_key = "handle"
    prefetched: ClassVar[tuple[str, ...]] = (FORMER,)

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._titles: dict[str, tuple[str, str]] = {}
        self._former: dict[str, str] = {}

    def load_batch(self, entries: Sequence[Entry]) -> None:
        normalize_handles(entries, self.matchable())
        refuse_repeated(self, entries, self._former)
        super().load_batch(entries)

    def name_of(self, entry: Entry) -> str | None:
        return handle_or_default(entry, name="title")

    def row_of(self, entry: Entry, by_id: Mapping[str, Row], by_name: Mapping[str, Row]) -> Row | None:
        if entry.given.get("id") in by_id or "handle" in entry.given or "title" not in entry.given:
            return super().row_of(entry, by_id, by_name)
        title, handle = entry.given["title"], self.name_of(entry) or ""
        before, place = self._titles.setdefault(handle, (title, entry.path))
        namesake = by_name.get(handle)
        stored = str(getattr(namesake, "title", title))
        if place != entry.path:
            self.refuse(entry, other_title(title, before, place=place))
        elif namesake and not is_same_title(title, stored):
            self.refuse(entry, other_title(title, stored, place=namesake.pk))
        else:
            return super().row_of(entry, by_id, by_name)
        return None

    def values(self, entry: Entry, row: Row | None) -> dict[str, object]:
        values = super().values(entry, row)
        return values if row else {"handle": self.name_of(entry), **values}

    def _rows_by_id_and_name(self, entries: Sequence[Entry]) -> tuple[dict[str, Row], dict[str, Row]]:
        """Also by the handle that a title had before handles kept vowel signs."""
        by_id, by_name = super()._rows_by_id_and_name(entries)
        titles = {
            name: entry.given["title"] for entry in entries if "title" in entry.given and (name := self.name_of(entry))
        }
        former = {
            slug: name
            for name, title in titles.items()
            if name not in by_name and (slug := slugify(title, allow_unicode=True)) and slug != name
        }
        for row in self.matchable().filter(handle__in=former) if former else ():
            name = former[getattr(row, "handle")]  # noqa: B009 - of any model with a handle
            if is_same_title(getattr(row, "title"), titles[name]):  # noqa: B009 - as above
                by_name[name] = row
        return by_id, by_name


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())
