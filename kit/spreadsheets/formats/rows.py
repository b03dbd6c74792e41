"""A row of a file, and what all files are held to."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kit.errors import InvalidData

MOST_COLUMNS = 250
LONGEST_CELL = 32_767
"""Characters, as in Excel. The time to sanitise HTML grows with the square of its length."""
_TOO_LONG = f"This cell has more than {LONGEST_CELL:,} characters. Shorten it."


class Row(NamedTuple):
    """number: counts the lines of a CSV file, and the rows of a sheet, from 1.

    cells: texts, of which trailing empty ones are left out. problems: why a cell has no text, by its column from 0.
    """

    number: int
    cells: tuple[str, ...]
    problems: Mapping[int, str] = {}


def checked(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows that have something, without trailing empty cells. Raises InvalidData for one that is too wide."""
    for row in rows:
        width = max((place + 1 for place, cell in enumerate(row.cells) if cell or place in row.problems), default=0)
        if width > MOST_COLUMNS:
            raise InvalidData(f"Row {row.number} has more than {MOST_COLUMNS} columns.")
        if width:
            yield _shortened(row, width)


def _shortened(row: Row, width: int) -> Row:
    """The first cells of the row, with a problem in the place of texts that are too long."""
    problems = {place: _TOO_LONG for place, cell in enumerate(row.cells) if len(cell) > LONGEST_CELL}
    cells = ("" if place in problems else cell for place, cell in enumerate(row.cells[:width]))
    return Row(row.number, tuple(cells), {**row.problems, **problems})
