"""XLSX files: the rows of the first sheet, as texts. Formulas are no texts, whatever their file says they make."""

import re
import warnings
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any, BinaryIO

from kit.errors import InvalidData
from kit.spreadsheets.formats.rows import MOST_COLUMNS, Row, checked
from kit.spreadsheets.formats.unpacked import check_package

MOST_ROWS = 20_000
"""Of a sheet: openpyxl takes a second for 2,000 of them. CSV files may have more."""
MOST_CELLS = MOST_ROWS * MOST_COLUMNS
"""Empty ones among them: openpyxl makes as many as the last cell of a row says."""
_ESCAPED = re.compile(r"_x(005[Ff]|00[01][0-9A-Fa-f])_")
_TO_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b\x0c\x0e-\x1f]")
_UNREADABLE = "The XLSX file is damaged. Save it again, or save it as CSV."


def sheet_rows(file: BinaryIO) -> Iterator[Row]:
    """The rows of the first sheet. Raises InvalidData, also in the midst of them.

    Numbers have 15 digits and a point, dates are as in ISO 8601. Formulas and errors are problems of their cells.
    """
    check_package(file)
    return checked(_counted(_raw_rows(file)))


def _raw_rows(file: BinaryIO) -> Iterator[Row]:
    from openpyxl import load_workbook  # noqa: PLC0415 - 10 MB that few processes need

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and the like, which are not read
            book = load_workbook(file, read_only=True, keep_links=False)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what a file says of them may be wrong
            for number, cells in enumerate(islice(sheet.iter_rows(), MOST_ROWS + 2), 1):
                yield _row(number, cells)
    except Exception as error:  # openpyxl raises whatever a broken file makes of its code
        raise InvalidData(_UNREADABLE) from error


def _counted(rows: Iterable[Row]) -> Iterator[Row]:
    """One row has the names of the columns."""
    width = 0
    for row in rows:
        width += len(row.cells)
        if width > MOST_CELLS:
            raise InvalidData(f"XLSX files can have at most {MOST_CELLS:,} cells. Save the file as CSV.")
        if row.number > MOST_ROWS + 1:
            raise InvalidData(f"XLSX files can have at most {MOST_ROWS:,} rows. Save the file as CSV.")
        yield row


def _row(number: int, cells: Iterable[Any]) -> Row:
    texts, problems = list[str](), dict[int, str]()
    for place, cell in enumerate(cells):
        if cell.data_type == "f":
            problems[place] = "This cell has a formula. Replace it with its value."
        elif cell.data_type == "e":
            problems[place] = f"This cell has the error {cell.value}. Enter a value."
        texts.append("" if place in problems else _text(cell.value))
    return Row(number, tuple(texts), problems)


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{Decimal(f'{value:.15g}'):f}"
        case datetime():
            return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(sep=" ")
        case date():
            return value.isoformat()
        case _:
            return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), str(value))


def write_sheet(file: BinaryIO, title: str, rows: Iterable[Iterable[str]]) -> None:
    """Write one sheet, row by row. All cells are texts, so that codes keep their zeros."""
    from openpyxl import Workbook  # noqa: PLC0415 - as above

    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    for row in rows:
        sheet.append([_cell(sheet, text) for text in row])
    book.save(file)


def _cell(sheet: Any, text: str) -> Any:
    escaped = _TO_ESCAPE.sub(lambda sign: f"_x{ord(sign[0]):04X}_", text)
    if not escaped.startswith(("=", "#")):
        return escaped
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - as above

    cell = WriteOnlyCell(sheet, escaped)
    cell.data_type = "s"  # openpyxl has taken it for a formula, or for an error
    return cell
