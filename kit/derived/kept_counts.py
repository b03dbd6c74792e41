"""Kept counts: for each combination of some columns of a table, rows whose numbers add up to its number of rows.

To count the matches of a filter, PostgreSQL visits each index entry, which takes half a second for a million rows. If
triggers append a row to a table of counts for each change, the count is the sum of a few rows.
"""

from collections.abc import Mapping
from typing import ClassVar, Self

from django.db import models

from kit.derived.value_ranges import Ranges


class KeptCounts(models.Model):
    """Rows of a table of counts. A subclass has the columns of the combination, named as those of the counted model.

    answered: the lookups of the counted model that mean the same here.
    numbers: the columns that are none of the combination.
    """

    answered: ClassVar[frozenset[str]]
    numbers: ClassVar[tuple[str, ...]] = ("number",)

    number = models.IntegerField()

    class Meta:
        abstract = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing is lost without this row."""
        return self.number == 0

    def combination(self) -> tuple[object, ...]:
        """What this row counts by."""
        fields = self._meta.concrete_fields
        return tuple(getattr(self, field.attname) for field in fields if field.name not in ("id", *self.numbers))

    def add(self, other: Self) -> None:
        """Add a row of the same combination."""
        self.number += other.number


class KeptRangeCounts(KeptCounts):
    """Counts of ranges of values. Each row counts by a single column, and the others are null.

    ranges: by column, the ranges of its values; the column holds the start of a range.
    numbered: the counted model's column that numbers its rows and never changes, or changes with the range.
    first, last: its least and largest value among rows that are or were counted in the range.
    """

    answered: ClassVar[frozenset[str]] = frozenset()
    numbers: ClassVar[tuple[str, ...]] = ("number", "first", "last")
    ranges: ClassVar[Mapping[str, Ranges]]
    numbered: ClassVar[str]

    first = models.BigIntegerField()
    last = models.BigIntegerField()

    class Meta:
        abstract = True

    @property
    def is_empty(self) -> bool:
        return False

    def add(self, other: Self) -> None:
        super().add(other)
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
