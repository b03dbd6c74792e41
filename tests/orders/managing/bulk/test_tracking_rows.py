"""Rows of order numbers and tracking numbers, as people copy them."""

import pytest

from kit.errors import InvalidData
from orders.managing.bulk.tracking_rows import TrackingRow, decoded, tracking_rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", []),
        (" \n;\n\t\n", []),
        ("1042\tT-1\n1043\tT-2", [("1042", "T-1", ""), ("1043", "T-2", "")]),
        ("1042;T-1;2\r\n", [("1042", "T-1", "2")]),
        ("1042, T-1 ,", [("1042", "T-1", "")]),
        ('"1042","T,1"', [("1042", "T,1", "")]),
        ("1042;T,1", [("1042", "T,1", "")]),  # a comma within a cell of another separator
        ("1042\tT;1", [("1042", "T;1", "")]),
        ('1042;="00340"', [("1042", "00340", "")]),
        ('1042;"=""00340"""', [("1042", "00340", "")]),
        ("\N{ZERO WIDTH NO-BREAK SPACE}1042;T", [("1042", "T", "")]),
        ("Order;Tracking number;Parcel\n1042;T", [("1042", "T", "")]),
        ("1042", [("1042", "", "")]),
        (";T", [("", "T", "")]),
        ("A;T-1", [("A", "T-1", "")]),
        ('1042;"T', [("1042", "T", "")]),
        ('1042;=HYPERLINK("https://e.example")', [("1042", '=HYPERLINK("https://e.example")', "")]),
    ],
)
def test_what_people_paste(text: str, rows: list[tuple[str, str, str]]) -> None:
    assert [row[1:4] for row in tracking_rows(text)] == rows


def test_rows_know_where_they_stand_and_what_is_too_much() -> None:
    text = "Order,Tracking\n\n1042,T,1,Ann,Berlin\n"
    assert tracking_rows(text) == [TrackingRow(3, "1042", "T", "1", excess=2)]


def test_a_heading_is_left_out_once() -> None:
    assert [row.order for row in tracking_rows("Order,No\nOrder,No\n7,T")] == ["Order", "7"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7,T\n" * 501, "At most 500 rows at once."),
        ("7" * 200_001, "At most 200,000 characters at once."),
        (f"7,{'T' * 131_073}", "A row is too long. Copy the two columns alone."),
        ("7,\0", "The text has characters that cannot be stored. Copy the two columns alone."),
        ("7,\ud800", "The text has characters that cannot be stored. Copy the two columns alone."),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        tracking_rows(text)
    assert refusal.value.message == said


def test_as_many_rows_as_are_allowed() -> None:
    assert len(tracking_rows("Order,Tracking\n" + "7,T\n" * 500)) == 500


def test_files_are_in_utf_8() -> None:
    assert decoded("\ufeff7,Ü".encode()) == "7,Ü"
    for data in ("7,Ü".encode("latin-1"), "7,T".encode("utf-16")):
        with pytest.raises(InvalidData):
            decoded(data)
