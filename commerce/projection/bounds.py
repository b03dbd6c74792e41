"""How much one answer may hold: related rows are shared while they are read, and written out for each holder.

Aliases in GraphQL write a value more than once; a row then counts as often as the value that is repeated most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.conf import settings

from commerce.core.errors import InvalidData
from commerce.projection.levels import Join, Level
from commerce.projection.rows import Answer

MAX_ROWS = 5_000
"""Rows of the lists themselves: five full pages, of which only GraphQL asks for more than one."""


def too_many(relation: str) -> InvalidData:
    """The refusal of an answer with more related rows than settings.MAX_RELATED_ROWS."""
    return InvalidData(
        f"The relation '{relation}' brings more than {settings.MAX_RELATED_ROWS} related rows; "
        "ask for fewer rows or fewer relations"
    )


@dataclass(slots=True)
class Allowance:
    """How many related objects may still be written, and rows of lists; the reads of one GraphQL document share one."""

    left: int = field(default_factory=lambda: settings.MAX_RELATED_ROWS)
    rows_left: int = field(default_factory=lambda: MAX_ROWS)

    def take_rows(self, level: Level, amount: int) -> None:
        """Count so many rows of a list as they would be written. Raises InvalidData if they are too many."""
        counted = amount * level.copies
        if counted > self.rows_left:
            raise InvalidData(
                f"The document asks for more than {MAX_ROWS} rows; smaller pages or fewer aliases would do"
            )
        self.rows_left -= counted


def check_size(level: Level, answers: Sequence[Answer], allowance: Allowance) -> None:
    """Count the related objects as they would be written, and stop at the first too many. Raises InvalidData."""
    if level.joins:
        count = _Count(allowance.left)
        count.add(level.joins, answers)
        allowance.left = count.left


class _Count:
    def __init__(self, left: int) -> None:
        self.left = left

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
        if below:
            self.add(below, related)
