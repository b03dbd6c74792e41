"""Texts get an apostrophe on their way out where a spreadsheet would take them for a formula, and come back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kit.spreadsheets.formats.text_cells import marked, unmarked

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("", ""),
        ("Tea", "Tea"),
        ("=1+1", "'=1+1"),
        ("+49 171", "'+49 171"),
        ("-10", "'-10"),
        ("@home", "'@home"),
        ("\tTea", "'\tTea"),
        ("\rTea", "'\rTea"),
        ("'s-Hertogenbosch", "''s-Hertogenbosch"),
        ("'", "''"),
        ("'=x", "''=x"),
        ("a=b", "a=b"),
    ],
)
def test_a_text_is_marked_and_comes_back(text: str, cell: str) -> None:
    assert marked(text) == cell
    assert unmarked(cell) == text


@pytest.mark.parametrize("cell", ["'s-Hertogenbosch", "'n Beetje", "'", "007", "' =1"])
def test_an_apostrophe_of_another_program_stays_where_no_sign_follows(cell: str) -> None:
    assert unmarked(cell) == cell


@given(text=st.text())
@example(text="'s-Hertogenbosch")
@example(text="''")
def test_every_text_comes_back(text: str) -> None:
    assert unmarked(marked(text)) == text
    assert marked(text)[:1] not in {*"=+-@\t\r"}
