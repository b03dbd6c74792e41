"""CSV files: how one is written, found out from its beginning, and its rows."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from kit.errors import InvalidData, shown
from kit.spreadsheets.formats.rows import Row, checked
from kit.values.csv_format import DECIMAL_MARKS, SEPARATORS

ENCODINGS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252"}
"""Python's name of each encoding. UTF-8 is read with or without its mark."""
SAMPLE = 64 * 1024
"""How many bytes of a file are enough to find out how it is written."""
_ROWS = 200
_MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BY_COMMA = re.compile(r"-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,4}")
_BY_POINT = re.compile(r"-?(?:\d+|\d{1,3}(?:,\d{3})+)\.\d{1,4}")
_BY_EITHER = re.compile(r"-?[1-9]\d{0,2}[.,]\d{3}")
_GROUPED_BY_POINTS = re.compile(r"-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_GROUPED_BY_COMMAS = re.compile(r"-?[1-9]\d{0,2}(?:,\d{3})+\.\d+")
"""A number without a fraction is none of these: `1,234` in a file with points is more likely a price with a comma."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvReading:
    """How a file is written. encoding, separator, decimal_mark: keys of ENCODINGS, SEPARATORS, DECIMAL_MARKS."""

    encoding: str = "utf-8"
    separator: str = "comma"
    decimal_mark: str = "point"

    def number(self, cell: str) -> str:
        """The number of a cell, with a point and without separators of thousands: `1.234,50` may be `1234.50`.

        Raises InvalidData for the other mark in another place: a thousand must not become one.
        """
        word, mark = cell.strip(), DECIMAL_MARKS[self.decimal_mark]
        other, grouped = (".", _GROUPED_BY_POINTS) if mark == "," else (",", _GROUPED_BY_COMMAS)
        if other in word and not grouped.fullmatch(word):
            raise InvalidData(f"'{shown(cell)}' is not a number with a decimal {self.decimal_mark}.")
        return word.replace(other, "").replace(mark, ".")


def detected(beginning: bytes) -> CsvReading:
    """How a file with this beginning is written, as far as that shows.

    The separator is the one that makes the most columns; the decimal mark is that of more cells with a fraction, of
    which `1.500` may have none.
    """
    encoding = _encoding(beginning)
    text = beginning.decode(ENCODINGS[encoding], errors="ignore")
    width = {name: _width(text, sign) for name, sign in SEPARATORS.items()}
    separator = max(SEPARATORS, key=lambda name: width[name])
    cells = Counter(
        "comma" if _BY_COMMA.fullmatch(cell) else "point"
        for row in _some_rows(text, SEPARATORS[separator])
        for cell in row
        if (_BY_COMMA.fullmatch(cell) or _BY_POINT.fullmatch(cell)) and not _BY_EITHER.fullmatch(cell)
    )
    mark = "comma" if cells["comma"] > cells["point"] else "point"
    return CsvReading(encoding=encoding, separator=separator, decimal_mark=mark)


def csv_rows(file: BinaryIO, reading: CsvReading) -> Iterator[Row]:
    """The rows of a file, one after the other. Raises InvalidData that names the line."""
    return checked(_raw_rows(file, reading))


def _raw_rows(file: BinaryIO, reading: CsvReading) -> Iterator[Row]:
    text = io.TextIOWrapper(file, encoding=ENCODINGS[reading.encoding], newline="")
    rows = csv.reader(text, delimiter=SEPARATORS[reading.separator], strict=True)
    first = 1
    try:
        for cells in rows:
            yield Row(first, tuple(cells))
            first = rows.line_num + 1
    except UnicodeError as error:
        raise InvalidData(
            f"Line {first} or a later line is not in {reading.encoding}. Choose another encoding."
        ) from error
    except csv.Error as error:
        raise InvalidData(
            f"Line {first} is not valid CSV ({error}). Check its quotation marks and the separator."
        ) from error
    finally:
        if not file.closed:
            text.detach()  # else it would close the file, which is the caller's


def _encoding(beginning: bytes) -> str:
    if beginning.startswith(_MARKS_OF_UTF_16):
        return "utf-16"
    try:
        beginning.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        is_cut_off = len(beginning) - error.start < 4 and error.reason == "unexpected end of data"
        return "utf-8" if is_cut_off else "windows-1252"
    return "utf-8"


def _width(text: str, separator: str) -> int:
    return max(map(len, islice(_some_rows(text, separator), 1)), default=0)


def _some_rows(text: str, separator: str) -> Iterator[list[str]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        yield from islice(rows, _ROWS)
    except csv.Error:
        return


def write_csv(file: BinaryIO, rows: Iterable[Iterable[str]]) -> None:
    """Write a file as spreadsheets read it best: UTF-8 with its mark, commas, and lines that end as RFC 4180 says."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    csv.writer(text).writerows(rows)
    text.detach()
