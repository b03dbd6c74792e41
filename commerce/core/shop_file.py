"""Sections of a shop file: one key of the file, its objects matched with rows by natural key and written in bulk.

Each app declares its own in `<app>/shop_file.py`; commerce/operations/shop_files.py lists them. A section lives for one
load, inside its transaction, and sees its objects once, in batches, so that memory stays bounded however long the file.
Sound objects are written even when others have problems: those that refer to them then find them. The load that told of
a problem is rolled back whole.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from django.db import models

from commerce.core.locking import lock_rows
from commerce.core.metadata import same
from commerce.core.shop_file_problems import Problems
from commerce.core.shop_file_values import Entry, Id, Moment, Value, read_object

BATCH = 1000
"""Objects held at a time."""

Row = TypeVar("Row", bound=models.Model)


@dataclass(slots=True)
class Counts:
    """What became of a section's objects."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0

    def __str__(self) -> str:
        return f"{self.created} created, {self.updated} updated, {self.unchanged} unchanged"


class Section(ABC):
    """A key of the file. `fields` are beside `id` and `created_at`, which count when the object makes a new row."""

    key: ClassVar[str]
    prefix: ClassVar[str]
    fields: ClassVar[Mapping[str, Value]]

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.counts = Counts()
        self.announcements: list[str] = []
        """Lines that the operator must see once the load is committed, like generated secrets."""

    def load(self, objects: Iterable[Any]) -> None:
        """Write what differs from the rows; what is wrong with the objects goes to `problems`."""
        fields = {"id": Id(prefix=self.prefix), "created_at": Moment(), **self.fields}
        entries = (read_object(raw, f"{self.key}[{index}]", fields, self.problems) for index, raw in enumerate(objects))
        while batch := list(islice(entries, BATCH)):
            self.load_batch(batch)
        self.finish()

    @abstractmethod
    def load_batch(self, entries: Sequence[Entry]) -> None:
        """Match and write up to BATCH objects."""

    def finish(self) -> None:  # noqa: B027 - most sections have nothing left to do
        """Do what needs all objects of the file."""

    @classmethod
    @abstractmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[dict[str, Any]]:
        """The rows as objects of the file, ready for JSON; loaded again, they change nothing."""

    def refuse(self, entry: Entry, message: str, *, field: str = "") -> None:
        """Tell a problem of the object, or of one of its fields."""
        self.problems.add(f"{entry.path}.{field}" if field else entry.path, message)
        entry.is_sound = False

    def demand(self, entry: Entry, *fields: str) -> None:
        """Tell of the fields that a sound object lacks."""
        missing = [name for name in fields if name not in entry.given]
        for name in missing if entry.is_sound else ():
            self.refuse(entry, "is required", field=name)


class RowsSection(Section, Generic[Row]):
    """A section whose objects are rows of one table, each known by its id or by one field, its natural key."""

    model: type[Row]
    natural_key: ClassVar[str]

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._places: dict[str, str] = {}

    def matchable(self) -> models.QuerySet[Row]:
        """The rows that an object can mean."""
        return self.model._default_manager.filter(deleted_at=None)

    def values(self, entry: Entry, row: Row | None) -> dict[str, Any]:
        """The row's attributes as the object gives them; `row` is None for a new one. May refuse the object."""
        return {name: value for name, value in entry.given.items() if name not in ("id", "created_at")}

    def load_batch(self, entries: Sequence[Entry]) -> None:
        by_id, by_name = self._found(entries)
        new: list[Row] = []
        changed: dict[Row, list[str]] = {}
        for entry in entries:
            row = self.row_of(entry, by_id, by_name)
            if row is None:
                self.demand(entry, *(name for name, field in self.fields.items() if field.required))
            values = self.values(entry, row) if entry.is_sound else {}
            if not entry.is_sound:
                self.problems.spoil(self.key, entry.given.get(self.natural_key))
            elif row is None:
                creation = {name: entry.given[name] for name in ("id", "created_at") if name in entry.given}
                new.append(self.model(**creation, **values))
            elif differing := [name for name, value in values.items() if not same(getattr(row, name), value)]:
                for name in differing:
                    setattr(row, name, values[name])
                changed[row] = differing
            else:
                self.counts.unchanged += 1
        overwrite(list(changed), sorted({name for names in changed.values() for name in names}))
        self.model._default_manager.bulk_create(new, batch_size=BATCH)
        self.counts.created += len(new)
        self.counts.updated += len(changed)

    def row_of(self, entry: Entry, by_id: Mapping[str, Row], by_name: Mapping[str, Row]) -> Row | None:
        """The row that the object means, None for a new one. Refuses repeated objects, taken ids and natural keys."""
        given_id, name = entry.given.get("id"), entry.given.get(self.natural_key)
        row, namesake = by_id.get(given_id or ""), by_name.get(name or "")
        if row is None:
            self.demand(entry, self.natural_key)
            if given_id is not None and self.model._default_manager.filter(pk=given_id).exists():
                self.refuse(entry, "is that of a deleted row", field="id")
        elif namesake and namesake != row:
            self.refuse(entry, f"'{name}' is that of {namesake.pk}", field=self.natural_key)
        for identity in filter(None, (given_id, name)):
            if self._places.setdefault(identity, entry.path) != entry.path:
                self.refuse(entry, f"'{identity}' is already at {self._places[identity]}")
        return row or namesake

    def _found(self, entries: Sequence[Entry]) -> tuple[dict[str, Row], dict[str, Row]]:
        """The rows that the objects mean, locked: by id and by natural key."""
        ids = [entry.given["id"] for entry in entries if "id" in entry.given]
        names = [entry.given[self.natural_key] for entry in entries if self.natural_key in entry.given]
        rows = lock_rows(self.matchable().filter(models.Q(pk__in=ids) | models.Q(**{f"{self.natural_key}__in": names})))
        return {row.pk: row for row in rows}, {getattr(row, self.natural_key): row for row in rows}


def overwrite(rows: Sequence[models.Model], attributes: Sequence[str], *, touch: bool = True) -> None:
    """Write the attributes of rows that exist and are held, few statements for many rows; `touch` moves updated_at.

    An upsert that never inserts: it is many times quicker than one CASE over all the rows for each attribute.
    """
    if rows:
        type(rows[0])._default_manager.bulk_create(
            rows,
            batch_size=BATCH,
            update_conflicts=True,
            unique_fields=["pk"],
            update_fields=[*attributes, "updated_at"] if touch else attributes,
        )
