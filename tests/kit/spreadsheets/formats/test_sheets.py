"""XLSX files: their rows are texts."""

import zipfile
from collections.abc import Mapping
from datetime import date, datetime
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from kit.spreadsheets.formats.rows import Row
from kit.spreadsheets.formats.sheets import sheet_rows, write_sheet

pytestmark = pytest.mark.once

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def book(*rows: list[Any]) -> BytesIO:
    made = Workbook()
    for row in rows:
        made.worksheets[0].append(row)
    return saved(made)


def saved(made: Workbook) -> BytesIO:
    file = BytesIO()
    made.save(file)
    return BytesIO(file.getvalue())


def with_parts(file: BytesIO, parts: Mapping[str, bytes]) -> BytesIO:
    """The file with other contents of these parts."""
    changed = BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in {**dict.fromkeys(old.namelist()), **parts}:
            new.writestr(name, parts[name] if name in parts else old.read(name))
    return BytesIO(changed.getvalue())


def sheet_of(rows: bytes) -> BytesIO:
    return with_parts(
        book(), {SHEET: b'<worksheet xmlns="%b"><sheetData>%b</sheetData></worksheet>' % (MAIN.encode(), rows)}
    )


def test_cells_are_texts() -> None:
    moment = datetime(2026, 11, 30, 12, 30)  # noqa: DTZ001 - sheets know no time zones
    file = book(["a", None, "c", None], [], [12, 19.99, 0.1 + 0.2, True], [date(2026, 11, 30), moment, "007", 1e21])
    assert list(sheet_rows(file)) == [
        Row(1, ("a", "", "c")),
        Row(3, ("12", "19.99", "0.3", "true")),
        Row(4, ("2026-11-30", "2026-11-30 12:30:00", "007", "1000000000000000000000")),
    ]


def test_formulas_and_errors_are_problems_whatever_was_computed() -> None:
    cell = '<row r="1"><c r="A1" t="str"><f>1+1</f><v>2</v></c><c r="B1" t="e"><v>#REF!</v></c></row>'
    problems = {
        0: "This cell has a formula. Replace it with its value.",
        1: "This cell has the error #REF!. Enter a value.",
    }
    assert list(sheet_rows(sheet_of(cell.encode()))) == [Row(1, ("", ""), problems)]


def test_the_first_sheet_is_read() -> None:
    made = Workbook()
    made.worksheets[0].append(["first"])
    made.create_sheet("Other").append(["second"])
    assert list(sheet_rows(saved(made))) == [Row(1, ("first",))]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"), max_size=20)


@settings(max_examples=25)
@given(rows=st.lists(st.lists(TEXTS.filter(bool), min_size=1, max_size=4), min_size=1, max_size=4))
def test_written_texts_are_read_again(rows: list[list[str]]) -> None:
    file = BytesIO()
    write_sheet(file, "Products", rows)
    read = [row.cells for row in sheet_rows(BytesIO(file.getvalue()))]
    assert read == [tuple(text.replace("\r\n", "\n").replace("\r", "\n") for text in row) for row in rows]


@pytest.mark.parametrize("text", ["=1+1", "#REF!", "_x0041_", "_x000D_", "a\x01b", "007", "'s"])
def test_texts_that_other_programs_would_change(text: str) -> None:
    file = BytesIO()
    write_sheet(file, "Products", [[text]])
    (row,) = sheet_rows(BytesIO(file.getvalue()))
    assert row.cells == (text,)
