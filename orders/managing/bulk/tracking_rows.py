"""Rows of an order's number and a tracking number, as people paste or upload them. Without a database."""

import csv
import re
from collections.abc import Iterator
from typing import NamedTuple

from kit.errors import InvalidData
from kit.values.text import is_storable

MOST_ROWS = 500
MOST_CHARACTERS = 200_000
_SEPARATORS = "\t;,"
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_KEPT_TEXT = re.compile(r'="(.*)"')
"""How spreadsheets are told to keep the zeros of `="00340"`, which is how this shop exports them, too."""


class TrackingRow(NamedTuple):
    """place: of the line in the text, from 1. parcel: the number of the order's parcel, or ""."""

    place: int
    order: str
    tracking: str
    parcel: str = ""
    excess: int = 0


def decoded(data: bytes) -> str:
    """The text of an uploaded file in UTF-8, with or without its mark. Raises InvalidData."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidData("The file is not in UTF-8. Save it as “CSV UTF-8”.") from error


def tracking_rows(text: str) -> list[TrackingRow]:
    """The rows that are not empty, without a heading: a first row of two cells without a digit.

    Raises InvalidData for text that is too long, has more than MOST_ROWS or an endless cell, or that no database can
    store.
    """
    if len(text) > MOST_CHARACTERS:
        raise InvalidData(f"At most {MOST_CHARACTERS:,} characters at once.")
    if not is_storable(text):
        raise InvalidData("The text has characters that cannot be stored. Copy the two columns alone.")
    rows = list(_tracking_rows(text))
    if rows and rows[0].order and not any(map(str.isdigit, rows[0].order + rows[0].tracking)):
        del rows[0]
    if len(rows) > MOST_ROWS:
        raise InvalidData(f"At most {MOST_ROWS} rows at once.")
    return rows


def _tracking_rows(text: str) -> Iterator[TrackingRow]:
    for place, line in enumerate(text.removeprefix(_MARK).splitlines(), 1):
        cells = _cells(line)
        if any(cells):
            order, tracking, parcel, *more = [*cells, "", "", ""]
            yield TrackingRow(place, order, tracking, parcel, sum(map(bool, more)))


def _cells(line: str) -> list[str]:
    """Separated by the first of tab, semicolon and comma that the line has. Raises InvalidData."""
    separator = next((each for each in _SEPARATORS if each in line), ",")
    try:
        cells: list[str] = next(csv.reader([line], delimiter=separator), [])
    except csv.Error as error:  # a cell of more than csv.field_size_limit()
        raise InvalidData("A row is too long. Copy the two columns alone.") from error
    return [_text(cell) for cell in cells]


def _text(cell: str) -> str:
    stripped = cell.strip()
    kept = _KEPT_TEXT.fullmatch(stripped)
    return (kept[1] if kept else stripped).strip()
