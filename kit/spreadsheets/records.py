"""Reading the records of an import's file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from kit.errors import InvalidData
from kit.spreadsheets import files
from kit.spreadsheets.columns import Kind
from kit.spreadsheets.declarations import Problem, Record, Spreadsheet, Values
from kit.spreadsheets.formats.csv_files import CsvReading, csv_rows
from kit.spreadsheets.formats.rows import Row
from kit.spreadsheets.formats.sheets import sheet_rows
from kit.spreadsheets.formats.text_cells import unmarked
from kit.spreadsheets.models import Import

MOST_ROWS, MOST_OF_RECORD = 250_000, 2_000
"""Rows of a file, and rows of one record."""
_MORE_CELLS = (
    "This row has more cells than there are headers. Put quotation marks around cells that contain the separator."
)


def file_rows(file: BinaryIO, format: str, reading: CsvReading) -> Iterator[Row]:
    """The rows of a file, the first of which has the headers."""
    return sheet_rows(file) if format == "xlsx" else csv_rows(file, reading)


@contextmanager
def records(one: Import, spreadsheet: Spreadsheet, most: int = MOST_ROWS) -> Iterator[Iterator[Record]]:
    """The records of the import's file, in the file's order. Raises InvalidData, also in the midst; FileGone.

    most: rows; a file with more is invalid.
    """
    with files.opened(one.pk, one.format) as file:
        reading = CsvReading(**one.reading)
        rows = file_rows(file, one.format, reading)
        next(rows, None)
        yield _grouped(rows, _Cells(one, spreadsheet, reading), spreadsheet, most)


def header_of(field: str, one: Import, spreadsheet: Spreadsheet) -> str:
    """The column as the file names it; as exports name it if the file lacks it. "" for a whole row."""
    if not field:
        return ""
    if field in one.mapping:
        return str(one.headers[one.mapping.index(field)])
    return spreadsheet.columns.header(field)


def headers_left_out(one: Import, spreadsheet: Spreadsheet) -> list[str]:
    """Those of columns that are not imported."""
    columns = (spreadsheet.columns.of(field) for field in one.mapping)
    named = zip(one.headers, columns, strict=True)
    return [header for header, column in named if header and not (column and column.is_imported)]


def problem_line(row: int, header: str, message: str) -> str:
    """`Row 3, Price: Enter 0 or more.`; header: "" for the row as a whole."""
    return f"Row {row}{', ' if header else ''}{header}: {message}"


class _Cells:
    """The values of rows, as the mapping of the import says."""

    def __init__(self, one: Import, spreadsheet: Spreadsheet, reading: CsvReading) -> None:
        self._columns: list[tuple[int, str, Kind]] = []
        self._reading = reading
        self._width = len(one.headers)
        for place, field in enumerate(one.mapping):
            if field and (column := spreadsheet.columns.of(field)):
                self._columns.append((place, field, column.kind))

    def values(self, row: Row) -> tuple[Values, list[Problem]]:
        values: Values = {}
        problems = list[Problem]()
        if len(row.cells) > self._width:
            problems.append(Problem(row.number, "", _MORE_CELLS))
        for place, field, kind in self._columns:
            cell = row.cells[place] if place < len(row.cells) else ""
            if place in row.problems:
                problems.append(Problem(row.number, field, row.problems[place]))
            if not cell:
                values[field] = None
                continue
            try:
                values[field] = kind.read(self._reading.number(cell) if kind.is_number else unmarked(cell))
            except InvalidData as refusal:
                values[field] = None
                problems.append(Problem(row.number, field, refusal.message))
        return values, problems


def _grouped(rows: Iterator[Row], cells: _Cells, spreadsheet: Spreadsheet, most: int) -> Iterator[Record]:
    """Rows with one key that follow one another. One whose key came before, elsewhere in the file, is a problem."""
    seen: dict[str, int] = {}
    record: Record | None = None
    for count, row in enumerate(rows, 1):
        if count > most:
            raise InvalidData(f"The file has more than {most:,} rows. Split it.")
        values, problems = cells.values(row)
        key = spreadsheet.key_of(values)
        if record is None or key != record.key or not key:
            if record is not None:
                yield record
            record = Record(key, [])
            if key in seen:
                message = f"This row belongs with row {seen[key]}. Move it directly below."
                problems.append(Problem(row.number, "", message))
            elif key:
                seen[key] = row.number
        if len(record.rows) == MOST_OF_RECORD:
            raise InvalidData(f"Row {row.number} belongs with {MOST_OF_RECORD:,} rows above it, which is too many.")
        record.rows.append((row.number, values))
        record.problems += problems
    if record is not None:
        yield record
