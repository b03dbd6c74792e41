"""Tables on pages that are not forms. On a phone each row stands by itself, with the headers beside its cells."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

NOTHING = "\N{EN DASH}"
"""A cell without a value. Phones leave it out."""


class Column(NamedTuple):
    """is_amount: whether its cells are aligned to the right."""

    header: str
    is_amount: bool


class PageTable(NamedTuple):
    """headers: of the columns; an empty one is for buttons, and left out if there are none.

    cells: of each row, text or safe HTML. amounts: headers of columns that are aligned to the right.
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
        """Of each row its cells, each behind its column and before whether it is empty."""
        columns = self.columns
        texts = [[row[index] for index in self._shown] for row in self.cells]
        return [
            [(column, text, text in ("", NOTHING)) for column, text in zip(columns, row, strict=True)] for row in texts
        ]

    @property
    def _shown(self) -> list[int]:
        return [index for index, header in enumerate(self.headers) if header or any(row[index] for row in self.cells)]
