"""How much one answer may hold: related rows are shared while they are read, and written out for each holder.

Aliases in GraphQL write a value more than once; a row then counts as often as the value that is repeated most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.conf import settings

from kit.errors import InvalidData
from kit.reads.plans.levels import Join, Level
from kit.reads.plans.rows import Answer

MAX_ROWS = 5_000
"""Rows of the lists themselves: five full pages, and only GraphQL can request more than one."""
MAX_VALUES = 2_000_000
"""Values in all rows and related objects: 20,000 related ones with the most that any sends unasked are 860,000."""


def too_many(relation: str) -> InvalidData:
    """The refusal of an answer with more related rows than settings.MAX_RELATED_ROWS."""
    return InvalidData(
        f"The relation '{relation}' returns more than {settings.MAX_RELATED_ROWS} related rows; "
        "request fewer rows or fewer relations"
    )


def too_many_values() -> InvalidData:
    """The refusal of an answer with more than MAX_VALUES."""
    return InvalidData(f"The response holds more than {MAX_VALUES} values; request fewer rows or fewer fields")


@dataclass(slots=True)
class AnswerLimit:
    """How many related objects may still be written, rows of lists, and values in both.

    The reads of one GraphQL document share one.
    """

    left: int = field(default_factory=lambda: settings.MAX_RELATED_ROWS)
    rows_left: int = field(default_factory=lambda: MAX_ROWS)
    values_left: int = field(default_factory=lambda: MAX_VALUES)

    @property
    def written(self) -> int:
        """Rows and related objects that have been counted."""
        related: int = settings.MAX_RELATED_ROWS - self.left
        return related + MAX_ROWS - self.rows_left

    def take_rows(self, level: Level, amount: int) -> None:
        """Count so many rows of a list as they would be written. Raises InvalidData if they are too many."""
        self.take(amount, copies=level.copies, values=level.values)

    def take(self, amount: int, *, copies: int, values: int) -> None:
        """Like take_rows, for rows that are repeated `copies` times and hold so many values."""
        counted = amount * copies
        if counted > self.rows_left:
            raise InvalidData(f"The document requests more than {MAX_ROWS} rows; use smaller pages or fewer aliases")
        self.rows_left -= counted
        self.values_left -= amount * values
        if self.values_left < 0:
            raise too_many_values()


def check_size(level: Level, answers: Sequence[Answer], answer_limit: AnswerLimit) -> None:
    """Count the related objects as they would be written, and stop at the first too many. Raises InvalidData."""
    if level.joins:
        count = _Count(answer_limit.left, answer_limit.values_left)
        count.add(level.joins, answers)
        answer_limit.left, answer_limit.values_left = count.left, count.values_left


class _Count:
    def __init__(self, left: int, values_left: int) -> None:
        self.left = left
        self.values_left = values_left

    def add(self, joins: Sequence[Join], holders: Sequence[Answer]) -> None:
        for join in joins:
            below = join.level.joins if join.path is None else (*join.level.joins, join)
            for holder in holders:
                related = holder[join.name]
                if related:
                    self._add_related(join, below, related if join.relation.many else (related,))

    def _add_related(self, join: Join, below: Sequence[Join], related: Sequence[Answer]) -> None:
        self.left -= len(related) * join.level.copies
        if self.left < 0:
            raise too_many(join.name)
        self.values_left -= len(related) * join.level.values
        if self.values_left < 0:
            raise too_many_values()
        if below:
            self.add(below, related)
