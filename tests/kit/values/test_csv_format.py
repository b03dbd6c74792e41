"""Files of comma-separated values, as programs and spreadsheets want them."""

import io

import pytest

from kit.values.csv_format import PLAIN, CsvFormat

DATES = ("1.2E3", "1e-3", "DEC1", "Sept-2026", "MAR 26", "1 June", "3-Mar-2026", "12may")
SPREADSHEET = CsvFormat(separator="semicolon", decimal_mark="comma", for_spreadsheets=True)


def written(csv_format: CsvFormat) -> bytes:
    file = io.StringIO()
    csv_format.writer(file).writerows([["née", "a,b;c\td"], ["1", "2"]])
    return file.getvalue().encode()


def test_the_plain_format_is_that_of_the_rfc() -> None:
    assert written(PLAIN) == 'née,"a,b;c\td"\r\n1,2\r\n'.encode()


@pytest.mark.parametrize(("separator", "sign"), [("comma", ","), ("semicolon", ";"), ("tab", "\t")])
def test_spreadsheets_get_the_mark_and_the_chosen_separator(separator: str, sign: str) -> None:
    expected = f'née{sign}"a,b;c\td"\r\n1{sign}2\r\n'.encode()
    assert written(CsvFormat(separator=separator, for_spreadsheets=True)) == b"\xef\xbb\xbf" + expected


@pytest.mark.parametrize(
    "number",
    ["01067", "+49 171 1234567", "(030) 12-34", "4006381333931", "10115", "1-2", "3/4", "12E3", "00", "7", *DATES],
)
def test_numbers_that_are_texts_stay_so(number: str) -> None:
    assert SPREADSHEET.text(number) == f'="{number}"'
    assert PLAIN.text(number) == number


def test_a_phone_that_begins_like_a_formula_is_no_formula() -> None:
    assert SPREADSHEET.text("'+49171") == '="+49171"'


@pytest.mark.parametrize(
    "other",
    [
        "",
        "'=1+1",
        "Elm Street 3",
        "A-1",
        "'+1;cmd",
        '1"&A1',
        "'@1",
        "1\n2",
        "1+A1",
        "٣",
        "TEA1",
        "E12",
        "DECAF-1",
        "MAR",
    ],
)
def test_other_texts_are_as_they_were(other: str) -> None:
    assert SPREADSHEET.text(other) == other


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("Lee;=1+1", "Lee;'=1+1"),
        ("Lee,@SUM(A1);+1", "Lee,'@SUM(A1);'+1"),
        ('Lee\t"=1"', 'Lee\t"\'=1"'),
        ("Lee;'=1", "Lee;''=1"),
        ("a; -b", "a; -b"),
    ],
)
def test_a_text_holds_no_formula_behind_another_separator(cell: str, shown: str) -> None:
    """A spreadsheet that expects semicolons would begin a cell there in a file with commas."""
    assert SPREADSHEET.text(cell) == shown
    assert PLAIN.text(cell) == cell


def test_amounts_have_the_chosen_mark() -> None:
    assert [SPREADSHEET.amount(one) for one in ("12.50", "-3.00", "1500")] == ["12,50", "-3,00", "1500"]
    assert PLAIN.amount("12.50") == "12.50"
