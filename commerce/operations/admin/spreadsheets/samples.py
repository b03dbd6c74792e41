"""What the first row of a file has, which shows whether it is read as it was written."""

from itertools import islice

from kit.errors import DomainError
from kit.spreadsheets import files
from kit.spreadsheets.formats.csv_files import CsvReading
from kit.spreadsheets.models import Import
from kit.spreadsheets.records import file_rows

_LONGEST = 80


def first_cells(one: Import) -> list[str]:
    """A text for each header. Of CSV files alone: others are unpacked as a whole before their first row is read."""
    cells: tuple[str, ...] = ()
    if one.format == files.CSV:
        try:
            with files.opened(one.pk, one.format) as file:
                rows = file_rows(file, one.format, CsvReading(**one.reading))
                cells = next((row.cells for row in islice(rows, 1, 2)), ())
        except DomainError:  # the preview says it
            cells = ()
    padded = [*cells[: len(one.headers)], *[""] * (len(one.headers) - len(cells))]
    return [cell if len(cell) <= _LONGEST else f"{cell[:_LONGEST]}…" for cell in padded]
