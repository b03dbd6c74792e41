"""How CSV files are written is found out, and their rows are read or refused by line."""

from io import BytesIO

import pytest

from kit.errors import InvalidData
from kit.spreadsheets.formats.csv_files import CsvReading, csv_rows, detected, write_csv
from kit.spreadsheets.formats.rows import Row

pytestmark = pytest.mark.once

GERMAN = "Name;Preis;Menge\r\nTee;1.234,50;3\r\nGrün;2,99;\r\n"


def rows(content: bytes, reading: CsvReading | None = None) -> list[Row]:
    return list(csv_rows(BytesIO(content), reading or detected(content)))


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"a,b\n1,2\n", ("utf-8", "comma", "point")),
        (b"\xef\xbb\xbfa,b\n", ("utf-8", "comma", "point")),
        (GERMAN.encode(), ("utf-8", "semicolon", "comma")),
        (GERMAN.encode("cp1252"), ("windows-1252", "semicolon", "comma")),
        (GERMAN.replace(";", "\t").encode("utf-16"), ("utf-16", "tab", "comma")),
        (b'title,price\n"Tea, green; hot",1.50\n', ("utf-8", "comma", "point")),
        (b'a,price\nx,"1,50"\ny,"2,50"\nz,3.5\n', ("utf-8", "comma", "comma")),
        (b"a;b\na;9,99\nb;1.500\nc;2.000\n", ("utf-8", "semicolon", "comma")),
        (b"", ("utf-8", "comma", "point")),
        (b"one\ntwo\n", ("utf-8", "comma", "point")),
        ("grün".encode()[:3], ("utf-8", "comma", "point")),
    ],
)
def test_the_format_is_detected(content: bytes, found: tuple[str, str, str]) -> None:
    reading = detected(content)
    assert (reading.encoding, reading.separator, reading.decimal_mark) == found


def test_rows_are_texts_without_what_is_empty_at_their_ends() -> None:
    assert rows(GERMAN.encode("cp1252")) == [
        Row(1, ("Name", "Preis", "Menge")),
        Row(2, ("Tee", "1.234,50", "3")),
        Row(3, ("Grün", "2,99")),
    ]
    assert rows(b'a,b\n\n,,\n"x\ny",2\nz\n') == [
        Row(1, ("a", "b")),
        Row(4, ("x\ny", "2")),
        Row(6, ("z",)),
    ]


@pytest.mark.parametrize(
    ("cell", "mark", "number"),
    [
        ("1.234,50", "comma", "1234.50"),
        ("1234,5", "comma", "1234.5"),
        ("-0,01", "comma", "-0.01"),
        ("12", "comma", "12"),
        ("1,234.50", "point", "1234.50"),
        ("1234.5", "point", "1234.5"),
        ("1.500", "comma", "1500"),
        ("-1.234.567", "comma", "-1234567"),
        (" 1.500 ", "comma", "1500"),
        ("1.500", "point", "1.500"),
        ("1,234,567.5", "point", "1234567.5"),
        ("x", "comma", "x"),
    ],
)
def test_numbers_have_a_point(cell: str, mark: str, number: str) -> None:
    assert CsvReading(decimal_mark=mark).number(cell) == number


@pytest.mark.parametrize(
    ("cell", "mark"),
    [
        ("12,50", "point"),
        ("1,500", "point"),
        ("12.50", "comma"),
        ("0.500", "comma"),
        ("1.5000", "comma"),
        ("1234.500", "comma"),
        ("1.500.00", "comma"),
        ("1,500.00", "comma"),
    ],
)
def test_a_number_with_the_other_mark_is_refused(cell: str, mark: str) -> None:
    with pytest.raises(InvalidData) as refused:
        CsvReading(decimal_mark=mark).number(cell)
    assert refused.value.message == f"'{cell}' is not a number with a decimal {mark}."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'a,b\n1,"2\n',
            "Line 2 is not valid CSV (unexpected end of data). Check its quotation marks and the separator.",
        ),
        (
            b'a,b\n1,"2"3\n',
            """Line 2 is not valid CSV (',' expected after '"'). Check its quotation marks and the separator.""",
        ),
        (
            b"a\n" + b"x" * 200_000 + b"\n",
            (
                "Line 2 is not valid CSV (field larger than field limit (131072)). "
                "Check its quotation marks and the separator."
            ),
        ),
        (b"a\n" + b"," * 250 + b"x\n", "Row 2 has more than 250 columns."),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_line(content: bytes, message: str) -> None:
    with pytest.raises(InvalidData) as refused:
        rows(content)
    assert refused.value.message == message


def test_cells_over_the_limit_of_excel_are_problems() -> None:
    fits, long = "x" * 32_767, "x" * 32_768
    assert rows(f"{fits},a,{long}\n".encode()) == [
        Row(1, (fits, "a", ""), {2: "This cell has more than 32,767 characters. Shorten it."})
    ]


def test_another_encoding_is_refused() -> None:
    with pytest.raises(InvalidData, match=r"^Line 1 or a later line is not in utf-8\. Choose another encoding\.$"):
        rows(GERMAN.encode("cp1252"), CsvReading(separator="semicolon"))


def test_a_written_file_is_read_again() -> None:
    file = BytesIO()
    write_csv(file, [["a", "b"], ["x\ny", 'say "hi"'], ["007", "é"]])
    content = file.getvalue()
    assert content == '\ufeffa,b\r\n"x\ny","say ""hi"""\r\n007,é\r\n'.encode()
    assert [row.cells for row in rows(content)] == [("a", "b"), ("x\ny", 'say "hi"'), ("007", "é")]
