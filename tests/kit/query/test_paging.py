"""Limits, offsets and sort fields as texts of a query string."""

from collections.abc import Callable

import pytest

from kit.errors import InvalidData, shown
from kit.query.paging import LARGEST_OFFSET, Order, Page, parse_order, parse_page
from kit.reads.filters.field_sets import FieldSet, Shape
from kit.values import money, places

SORTABLE = {"name": "name", "created_at": "created_at", "parent_category.rank": "the rank of the parent"}


def page(limit: object = None, offset: object = None) -> Page:
    return parse_page(limit, offset, default_limit=50)


@pytest.mark.parametrize(
    ("limit", "offset", "expected"),
    [
        (None, None, Page(50, 0)),
        ("5", None, Page(5, 0)),
        ("0", "0", Page(0, 0)),
        ("-0", "007", Page(0, 7)),
        ("1000", str(LARGEST_OFFSET), Page(1000, LARGEST_OFFSET)),
        (5, 10, Page(5, 10)),
        (None, "3", Page(50, 3)),
    ],
)
def test_whole_numbers_within_their_bounds(limit: object, offset: object, expected: Page) -> None:
    assert page(limit, offset) == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "abc",
        "5.9",
        "5.0",
        "1e3",
        "+5",
        " 5",
        "5 ",
        "0x10",
        "1_000",
        "\u0665",
        "²",
        "--5",
        "-",
        "5,6",
        ["5"],
        {"a": "5"},
        True,
    ],
)
def test_anything_else_is_no_number(value: object) -> None:
    with pytest.raises(InvalidData) as refusal:
        page(limit=value)
    assert refusal.value.message == f"Invalid request: Expected type: 'number' for field 'limit', got: '{shown(value)}'"
    with pytest.raises(InvalidData, match="for field 'offset'"):
        page(offset=value)


@pytest.mark.parametrize(
    ("limit", "offset", "message"),
    [
        ("-1", None, "Value for field 'limit' too small, expected at least: '0'"),
        (-1, None, "Value for field 'limit' too small, expected at least: '0'"),
        ("1001", None, "Value for field 'limit' too big, expected at most: '1000'"),
        ("1" * 30, None, "Value for field 'limit' too big, expected at most: '1000'"),
        (None, "-1", "Value for field 'offset' too small, expected at least: '0'"),
        (None, str(LARGEST_OFFSET + 1), f"Value for field 'offset' too big, expected at most: '{LARGEST_OFFSET}'"),
    ],
)
def test_a_number_out_of_bounds_is_refused_with_the_bound(limit: object, offset: object, message: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        page(limit, offset)
    assert refusal.value.message == f"Invalid request: {message}"


def test_a_number_too_long_to_be_read_is_refused_unread() -> None:
    with pytest.raises(InvalidData, match=r"Expected type: 'number' for field 'limit', got: '1{100}'$"):
        page(limit="1" * 10_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, Order()),
        ("name", Order("name")),
        ("-name", Order("name", descending=True)),
        ("-created_at", Order("created_at", descending=True)),
        ("parent_category.rank", Order("the rank of the parent")),
        ("-parent_category.rank", Order("the rank of the parent", descending=True)),
    ],
)
def test_a_sort_field_ascending_or_descending(text: str | None, expected: Order) -> None:
    assert parse_order(text, sortable=SORTABLE) == expected


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", ""),
        ("-", ""),
        ("nope", "nope"),
        ("-nope", "nope"),
        ("--name", "-name"),
        ("+name", "+name"),
        (" name", " name"),
        ("Name", "Name"),
        ("name,-created_at", "name,-created_at"),
        ("parent_category__rank", "parent_category__rank"),
        ("parent_category", "parent_category"),
        ("parent_category.name", "parent_category.name"),
        ("?", "?"),
    ],
)
def test_other_sort_fields_are_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        parse_order(text, sortable=SORTABLE)
    assert refusal.value.message == f"Order field {named} is not valid"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x", "x"),
        ("x" * 101, "x" * 100),
        (5, "5"),
        ({"a": 1}, "[object Object]"),
        (["a", "b"], "a,b"),
        (["a", {"b": 1}, ["c"], None, True], "a,[object Object],[object Array],None,True"),
        (["x" * 80, "y" * 80], "x" * 80 + "," + "y" * 19),
        (["x"] * 1_000, "x," * 50),
    ],
)
def test_a_refused_value_is_shown_in_short(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_a_list_however_deep_can_be_shown() -> None:
    deep: list[object] = []
    for _ in range(2_000):
        deep = [deep]
    assert len(shown(deep)) <= 100


LONG = "x" * 5000


@pytest.mark.parametrize(
    "refuse",
    [
        lambda: parse_order(f"-{LONG}", sortable=SORTABLE),
        lambda: money.currency(LONG),
        lambda: money.exact(LONG, "usd"),
        lambda: money.percent(LONG, field="rate"),
        lambda: places.country(LONG),
        lambda: places.province(LONG, country_code="us"),
        lambda: FieldSet(Shape(scalars=("id",))).parse(LONG),
    ],
)
def test_a_refusal_cuts_a_long_value(refuse: Callable[[], object]) -> None:
    with pytest.raises(InvalidData) as refusal:
        refuse()
    assert "x" * 99 in refusal.value.message
    assert "x" * 101 not in refusal.value.message


def test_a_refusal_names_the_first_twenty_fields() -> None:
    with pytest.raises(InvalidData) as refusal:
        FieldSet(Shape(scalars=("id",))).parse(",".join(f"no_{number}" for number in range(1000)))
    reported = ", ".join(f"no_{number}" for number in range(20))
    assert refusal.value.message == f"Requested fields [{reported}] are not valid"
