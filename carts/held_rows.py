"""Rows of a cart while it changes: as they are to be, beside what is stored. Raw, as in commerce.kit.core.raw_rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from commerce.kit.core import raw_rows
from commerce.kit.core.timestamps import now


@dataclass(slots=True)
class Held:
    """values: by attribute, `id` among them. stored: what the database has of them; None for a new row."""

    values: dict[str, Any]
    stored: Mapping[str, Any] | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    """What is known beside, and not written with the row."""

    @property
    def is_new(self) -> bool:
        return self.stored is None

    @property
    def is_changed(self) -> bool:
        """Whether a stored row is to have another value."""
        return self.stored is not None and not self.stored.items() <= self.values.items()


def held(names: Sequence[str], row: Sequence[Any], facts: Sequence[str] = ()) -> Held:
    """A stored row, from its columns in the order of the names, those of its facts behind."""
    values = dict(zip(names, row, strict=False))
    return Held(values, dict(values), dict(zip(facts, row[len(names) :], strict=True)))


def write(model: type[models.Model], rows: Iterable[Held]) -> bool:
    """Write what is new or changed; whether there was any. One statement for each of the two."""
    moment = now()
    new = [{**_DATES, **row.values, "created_at": moment, "updated_at": moment} for row in rows if row.is_new]
    changed = [{**row.values, "updated_at": moment} for row in rows if row.is_changed]
    raw_rows.insert(model, new)
    raw_rows.update(model, changed)
    return bool(new or changed)


_DATES: Mapping[str, Any] = {"deleted_at": None}
