"""The parts of a compiled plan."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from kit.database.raw_sql import Row
from kit.query.selection import Selection
from kit.reads.declarations.computed import Batch
from kit.reads.declarations.fields import Joined
from kit.reads.plans.rows import Answer
from kit.reads.sql.statements import Column

Pass = tuple[Callable[[Row], Any], bool]
"""What to sort related rows by, a value or values, and whether it descends."""


@dataclass(frozen=True, eq=False, slots=True)
class Join:
    """One relation of a level.

    name: its key in the response.
    near: where this level's row holds the joining value (its own id for a list, the related id for a single row).
    far: where the related row holds it. sorting: what a list is sorted by, pass after pass: a related row's value or
        values, and whether they descend.
    present_if: this level's positions of numbers that are all 0 where the list is empty; none if that is not known.
    path: this level's position of the tree path, when a flag widens the relation to the whole chain or tree.
    at_hand: whether a row of this level can stand as a related one: same table, its columns in the same places.
    """

    name: str
    relation: Joined
    level: "Level"
    near: int
    far: int
    sorting: tuple[Pass, ...]
    present_if: tuple[int, ...]
    path: int | None
    at_hand: bool


@dataclass(frozen=True, eq=False, slots=True)
class BatchCell:
    """What one call computes for all rows: its keys, the columns it reads, and how a value is converted."""

    names: tuple[str, ...]
    load: Callable[[Batch], Sequence[object]]
    take: Callable[[Row], Row]
    finish: Callable[[Any], object] | None
    selection: Selection | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """What is read of one resource: the columns of its statement, how a row becomes an object, and its relations.

    copies: how often an object repeats one of its values; see Selection.
    values: how many values an object has, with those of its computed objects but without those of its `joins`.
    """

    model: type[models.Model]
    columns: tuple[Column, ...]
    build: Callable[[Row], Answer]
    joins: tuple[Join, ...]
    batches: tuple[BatchCell, ...]
    copies: int = 1
    values: int = 1

    @property
    def key(self) -> str:
        """The column of the primary key, which not every table calls id."""
        return self.model._meta.pk.attname
