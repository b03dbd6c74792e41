"""Tables on read-only pages. On a phone, each row becomes a block with each header next to its cell."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

NOTHING = "\N{EN DASH}"
"""A cell without a value; hidden on phones."""


class Column(NamedTuple):
    """is_amount: whether its cells are right-aligned."""

    header: str
    is_amount: bool


class PageTable(NamedTuple):
    """headers: one per column. A column of buttons has an empty header, and is omitted if all its cells are empty.

    cells: the rows, as text or safe HTML. amounts: the headers of right-aligned columns.
    """

    title: str
    headers: Sequence[str]
    cells: Sequence[Sequence[str]]
    amounts: Collection[str] = ()

    @property
    def columns(self) -> list[Column]:
        """The columns that are shown."""
        return [Column(self.headers[index], self.headers[index] in self.amounts) for index in self._shown]

    @property
    def rows(self) -> list[list[tuple[Column, str, bool]]]:
        """For each row its cells, as tuples of column, text, and whether the cell is empty."""
        columns = self.columns
        texts = [[row[index] for index in self._shown] for row in self.cells]
        return [
            [(column, text, text in ("", NOTHING)) for column, text in zip(columns, row, strict=True)] for row in texts
        ]

    @property
    def _shown(self) -> list[int]:
        return [index for index, header in enumerate(self.headers) if header or any(row[index] for row in self.cells)]
