"""The rows of a cart while it changes: typed columns, and their stored values for comparison.

Values are raw, as in kit.writes.raw_rows.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.db import models

from kit.values.timestamps import now
from kit.writes import raw_rows
from kit.writes.raw_rows import RawRow


@dataclass(slots=True, eq=False)
class TrackedRow:
    """A row as it will be written. Subclasses declare its columns as fields, in the order of reading.

    A field whose metadata has a `path` is read from that ORM path, and never written.
    stored: the stored values of the columns; None for a new row. constants: further columns of a new row.
    """

    id: str
    stored: tuple[object, ...] | None = field(default=None, init=False)
    constants: RawRow = field(default_factory=dict, kw_only=True)

    @property
    def is_new(self) -> bool:
        return self.stored is None


Tracked = TypeVar("Tracked", bound=TrackedRow)


class TrackedTable(Generic[Tracked]):
    """The table of such a class. paths: the arguments of `load`, by ORM path."""

    def __init__(self, model: type[models.Model], row: type[Tracked]) -> None:
        read = [each for each in fields(row) if each.init and not each.kw_only]
        self.model, self._row = model, row
        self.paths = tuple(each.metadata.get("path", each.name) for each in read)
        self._columns = tuple(each.name for each in read if "path" not in each.metadata)
        self._values = attrgetter(*self._columns)

    def load(self, *values: Any) -> Tracked:
        """A stored row."""
        row = self._row(*values)
        row.stored = self._values(row)
        return row

    def write(self, rows: Collection[Tracked]) -> None:
        """Write rows that are new or changed; they count as stored from then on. One statement for each of the two."""
        moment = now()
        dates = {"created_at": moment, "updated_at": moment, "deleted_at": None}
        new, changed = list[RawRow](), list[RawRow]()
        for row in rows:
            values = self._values(row)
            if values == row.stored:
                continue
            columns = zip(self._columns, values, strict=True)
            if row.is_new:
                new.append({**row.constants, **dict(columns), **dates})
            else:
                changed.append({**dict(columns), "updated_at": moment})
            row.stored = values
        raw_rows.insert(self.model, new)
        raw_rows.update(self.model, changed)

    def delete(self, rows: Collection[Tracked]) -> None:
        """Delete stored rows. One statement."""
        raw_rows.delete(self.model, [row.id for row in rows])
