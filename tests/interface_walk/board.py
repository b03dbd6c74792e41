"""What the walk has found, as the tables that it prints and README shows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pytest import Subtests

from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.routes import CREDENTIALS, ROUTES

PRINTED = "interface walk"
REST, GRAPHQL = "REST", "GraphQL"
PARAMETERS, BODY, ANSWER, OPENS = "parameters", "body", "answer", "opens"
NUMBERS = tuple(map(str, range(1, 8)))
SENT, INJECTED = "●", "○"


class Board:
    """Cells of the tables, each some words, and whether they hold."""

    def __init__(self, subtests: Subtests) -> None:
        self._subtests = subtests
        self._cells: dict[tuple[str, str], dict[str, bool]] = {}

    @contextmanager
    def holds(self, row: str, column: str, word: str) -> Iterator[None]:
        """A part of the walk: the cell has the word once the block ends well. A failure is told, and the walk goes on."""
        words = self._cells.setdefault((row, column), {})
        held_before, words[word] = words.get(word, True), False
        with self._subtests.test(f"{row} | {column} | {word}"):
            yield
            words[word] = held_before

    @contextmanager
    def met(self, where: str) -> Iterator[None]:
        """A part of the walk that no cell tells of by itself."""
        with self._subtests.test(where):
            yield

    def words(self, row: str, column: str) -> set[str]:
        """What the cell tells of."""
        return set(self._cells.get((row, column), ()))

    def tables(self) -> str:
        """All of it, in Markdown."""
        return "\n\n".join(
            (
                self._table("Resource", RESOURCES, (REST, GRAPHQL)),
                self._table("Route", ROUTES, (PARAMETERS, BODY, ANSWER, *NUMBERS)),
                self._table("Credential", (*CREDENTIALS, "none"), (OPENS,)),
            )
        )

    def _table(self, head: str, rows: Sequence[str], columns: Sequence[str]) -> str:
        lines = [(head, *columns), ("---",) * (len(columns) + 1)]
        lines += [(row, *(self._cell(row, column) for column in columns)) for row in rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def _cell(self, row: str, column: str) -> str:
        words = self._cells.get((row, column), {})
        return ", ".join(word if holds else f"{word} FAILED" for word, holds in words.items())
