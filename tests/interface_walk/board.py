"""What the walk has found, as the tables that it prints and docs/interface-walk.md shows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.interface_walk.empty_fields import EMPTY_FIELDS
from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.routes import ROUTES, STATUSES

PRINTED = "interface walk"
REST, GRAPHQL = "REST", "GraphQL"
PARAMETERS, BODY, ANSWER, OPENED_BY = "parameters", "body fields", "answer", "opened by"
BODIES = " ".join(map(str, STATUSES))
COUNTED = (REST, GRAPHQL, PARAMETERS, BODY, ANSWER)
SENT, INJECTED = "●", "○"
EMPTY = "empty"
"""The mark of a field that is null or empty in every answer."""


class Board:
    """Cells of the tables. Each tells of some things by name, and with what mark they hold."""

    def __init__(self, subtests: pytest.Subtests) -> None:
        self._subtests = subtests
        self._cells: dict[tuple[str, str], dict[str, str | None]] = {}

    @contextmanager
    def holds(self, row: str, column: str, name: str, *, mark: str = "") -> Iterator[None]:
        """A part of the walk: the thing holds once the block ends well. A failure is reported, and the walk goes on.

        What is walked in several parts holds if all of them do.
        """
        cell = self._cells.setdefault((row, column), {})
        before, cell[name] = cell.get(name, mark), None
        with self._subtests.test(f"{row} | {column} | {name}"):
            yield
            cell[name] = before

    @contextmanager
    def met(self, where: str) -> Iterator[None]:
        """A part of the walk that no cell tells of by itself."""
        with self._subtests.test(where):
            yield

    def names(self, row: str, column: str) -> set[str]:
        """What the cell tells of."""
        return set(self._cells.get((row, column), ()))

    def tables(self) -> str:
        """All of it, in Markdown."""
        resources = self._table("Resource", list(RESOURCES), (REST, GRAPHQL))
        empty = [(resource, name, reason) for (resource, name), reason in EMPTY_FIELDS.items()]
        routes = self._table("Route", list(ROUTES), (PARAMETERS, BODY, ANSWER, OPENED_BY, BODIES))
        return "\n\n".join((resources, _markdown(("Resource", "empty field", "because"), empty), routes))

    def _table(self, head: str, rows: Sequence[str], columns: Sequence[str]) -> str:
        return _markdown((head, *columns), [(row, *(self._cell(row, column) for column in columns)) for row in rows])

    def _cell(self, row: str, column: str) -> str:
        cell = self._cells.get((row, column), {})
        failed = "".join(f", {name} FAILED" for name, mark in cell.items() if mark is None)
        held = {name: mark for name, mark in cell.items() if mark is not None}
        if column in COUNTED:
            empty = list(held.values()).count(EMPTY)
            return f"{len(held) - empty}{f' + {empty} empty' if empty else ''}{failed}" if cell else "-"
        return (", " if column == OPENED_BY else " ").join(mark or name for name, mark in held.items()) + failed


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ("---",) * len(head), *rows))
