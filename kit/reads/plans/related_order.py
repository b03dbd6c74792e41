"""The order of related rows. It is made here, not by the database: one statement brings the lists of many rows."""

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from kit.database.raw_sql import Row
from kit.reads.plans.levels import Level, Pass


def passes(level: Level, order: Sequence[str]) -> tuple[Pass, ...]:
    """What to sort by, the last first, and whether it descends: neighbours that go the same way share a pass.

    Texts sort by code point; rows without a value come last, or first where descending, as in PostgreSQL.
    """
    groups = groupby(order, key=lambda name: name.startswith("-"))
    in_turn = [(_key(level, [name.removeprefix("-") for name in names]), descending) for descending, names in groups]
    return tuple(reversed(in_turn))


def _key(level: Level, names: Sequence[str]) -> Callable[[Row], Any]:
    positions = [level.columns.index(name) for name in names]
    if any(level.model._meta.get_field(name).null for name in names):
        return lambda row: [(row[position] is None, row[position]) for position in positions]
    return itemgetter(*positions)


def arrange(rows: list[Row], sorting: Sequence[Pass]) -> None:
    """Sort the rows in place."""
    for key, descending in sorting:
        rows.sort(key=key, reverse=descending)
