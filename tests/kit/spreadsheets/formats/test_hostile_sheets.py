"""Hostile XLSX files are refused."""

import os
import zipfile
from io import BytesIO

import pytest

from kit.errors import InvalidData
from kit.spreadsheets.formats import sheets, unpacked
from kit.spreadsheets.formats.rows import Row
from kit.spreadsheets.formats.sheets import sheet_rows
from tests.kit.spreadsheets.formats.test_sheets import MAIN, SHEET, book, sheet_of, with_parts

pytestmark = pytest.mark.once
DOCTYPE = b'<?xml version="1.0"?><!-- x --><!DOCTYPE a [<!ENTITY b "c">]>'


def refusal(file: BytesIO) -> str:
    with pytest.raises(InvalidData) as refused:
        list(sheet_rows(file))
    return refused.value.message


class TestHostileFiles:
    def test_files_that_are_not_zip_are_refused(self) -> None:
        assert refusal(BytesIO(b"title,price\n")) == "The file is not a valid XLSX file."
        assert refusal(BytesIO(book(["a"]).getvalue()[:-30])) == "The file is not a valid XLSX file."

    def test_an_archive_of_something_else(self) -> None:
        file = BytesIO()
        with zipfile.ZipFile(file, "w") as package:
            package.writestr("a.xml", b"<a/>")
        assert refusal(BytesIO(file.getvalue())) == "The XLSX file is damaged. Save it again, or save it as CSV."

    @pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "[Content_Types].xml", "xl/sharedStrings.xml"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_document_types_are_refused(self, part: str, encoding: str) -> None:
        content = DOCTYPE + b"<a>&b;</a>"
        changed = (
            content if encoding == "utf-8" else content.decode().replace("?>", ' encoding="utf-16"?>').encode("utf-16")
        )
        assert refusal(with_parts(book(["a"]), {part: changed})) == (
            "The file contains a document type declaration, which is not allowed."
        )

    @pytest.mark.parametrize("end", ["bin", "png"])
    def test_sheets_by_the_names_of_pictures(self, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
        renamed = f"xl/worksheets/sheet1.{end}"
        with zipfile.ZipFile(book(["a"])) as package:
            links = {
                name: package.read(name).replace(b"sheet1.xml", f"sheet1.{end}".encode())
                for name in ("xl/_rels/workbook.xml.rels", "[Content_Types].xml")
            }
            sheet = package.read(SHEET)
        assert list(sheet_rows(with_parts(book(["a"]), {**links, renamed: sheet}))) == [Row(1, ("a",))]
        assert refusal(with_parts(book(["a"]), {**links, renamed: DOCTYPE + b"<a>&b;</a>"})) == (
            "The file contains a document type declaration, which is not allowed."
        )
        monkeypatch.setattr(unpacked, "MOST_ITEM_BYTES", 1024 * 1024)
        wide = b"<worksheet><sheetData><row>%b</row></sheetData></worksheet>"
        cells = b"".join(b"<c><v>%d</v></c>" % number for number in range(80_000))
        assert refusal(with_parts(book(["a"]), {**links, renamed: wide % cells})) == (
            "A row is larger than 1 MB. Save the file as CSV."
        )

    def test_parts_that_are_not_xml_may_be_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(unpacked, "MOST_ITEM_BYTES", 100_000)
        parts = {"xl/media/image1.PNG": b"\x89PNG" + os.urandom(300_000), "xl/drawings/vml.vml": b"<a><br></a>"}
        assert list(sheet_rows(with_parts(book(["a"]), parts))) == [Row(1, ("a",))]

    def test_damaged_compression_and_unknown_encodings(self) -> None:
        content = bytearray(sheet_of(b"<row><c><v>1</v></c></row>").getvalue())
        with zipfile.ZipFile(BytesIO(content)) as package:
            at = package.getinfo(SHEET).header_offset + 30 + len(SHEET)
        content[at : at + 3] = b"\xff\xff\xff"
        assert refusal(BytesIO(content)) == "The file is not a valid XLSX file."
        unknown = with_parts(book(["a"]), {SHEET: b'<?xml version="1.0" encoding="foo"?><a/>'})
        assert refusal(unknown) == "The file is not a valid XLSX file."

    def test_wide_rows_that_are_empty(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sheets, "MOST_CELLS", 2 * 18_278)
        wide = b'<row><c r="ZZZ1"/></row>'
        assert list(sheet_rows(sheet_of(wide * 2))) == []
        assert refusal(sheet_of(wide * 3)) == "XLSX files can have at most 36,556 cells. Save the file as CSV."
        assert sheets.MOST_ROWS * 250 == 5_000_000

    def test_macros_are_refused(self) -> None:
        file = with_parts(book(["a"]), {"xl/vbaProject.bin": b"x"})
        assert refusal(file) == "The file has macros. Save it as .xlsx."

    def test_high_compression_is_refused(self) -> None:
        file = sheet_of(b"<row><c><v>1</v></c></row>" * 200_000)
        assert refusal(file) == "A part of the file is compressed too much. Save the file as CSV."

    def test_large_unpacked_files_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(unpacked, "MOST_BYTES", 2 * 1024 * 1024)
        file = with_parts(book(["a"]), {"xl/media/image1.png": bytes(3 * 1024 * 1024)})
        assert refusal(file) == "The file is larger than 2 MB unpacked. Save it as CSV."

    def test_shared_strings_under_any_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(unpacked, "MOST_STRING_BYTES", 1024 * 1024)
        item = b"<s:si><s:t>" + b"x" * 1000 + b"</s:t></s:si>"
        strings = b'<s:sst xmlns:s="%b">' % MAIN.encode() + item * 900 + b"</s:sst>"
        assert refusal(with_parts(book(["a"]), {"xl/strings.XML": strings + b"\n", "xl/b": strings})) == (
            "The file has more than 1 MB of texts. Save it as CSV."
        )

    def test_a_row_that_is_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(unpacked, "MOST_ITEM_BYTES", 1024 * 1024)
        cells = b"".join(b"<c><v>%d</v></c>" % number for number in range(80_000))
        assert refusal(sheet_of(b"<row>" + cells + b"</row>")) == "A row is larger than 1 MB. Save the file as CSV."

    def test_rows_beyond_the_limit(self) -> None:
        message = "XLSX files can have at most 20,000 rows. Save the file as CSV."
        assert (
            refusal(sheet_of(b'<row r="1"><c><v>1</v></c></row><row r="999999999999"><c><v>1</v></c></row>')) == message
        )
        assert refusal(sheet_of(b'<row r="20002"><c><v>1</v></c></row>')) == message
        assert list(sheet_rows(sheet_of(b'<row r="20001"><c><v>1</v></c></row>'))) == [Row(20_001, ("1",))]

    def test_columns_beyond_the_limit(self) -> None:
        assert refusal(sheet_of(b'<row r="3"><c r="XFD3"><v>1</v></c></row>')) == "Row 3 has more than 250 columns."

    @pytest.mark.parametrize(
        "rows",
        [
            b'<row r="x"><c><v>1</v></c></row>',
            b'<row><c t="s"><v>99</v></c></row>',
            b'<row><c r="!!"><v>1</v></c></row>',
            b"<row><c><v>one</v></c></row>",
            b'<row><c s="999"><v>1</v></c><c t="d"><v>x</v></c></row>',
        ],
    )
    def test_broken_sheets_are_refused(self, rows: bytes) -> None:
        assert refusal(sheet_of(rows)) == "The XLSX file is damaged. Save it again, or save it as CSV."
