"""The same rows give the same answer on PostgreSQL and on SQLite: what this file expects holds on both."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kit.query.conditions import Either, Every, Is
from kit.query.paging import Order, Page
from kit.reads.declarations.fields import ToOne
from kit.reads.declarations.sorting import SortKey
from tests.kit.reads.reads import one, page, rows
from tests.kit.reads.resources import categories, category

pytestmark = pytest.mark.django_db

Category = categories()
PARENT = ToOne(lambda: Category, key="parent_category_id")
START = datetime(2026, 3, 1, 23, 59, 58, 7_000, tzinfo=UTC)
METADATA: list[Any] = [
    None,
    {},
    {"empty": "", "null": None, "yes": True, "no": False},
    {"text": "say \"é\" \\ 'it' {a,b} 日本 🙂 \u2028 </script>"},
    {"numbers": [0, -1, 1.5, 9007199254740993, 1e300, -0.001]},
    {"nested": {"list": [[], [{}], [[[1]]]]}},
]


@pytest.fixture(autouse=True)
def tree() -> None:
    for number, metadata in enumerate(METADATA):
        category(
            f"c{number}",
            parent=f"c{number // 2}" if number > 1 else None,
            rank=number % 2,
            name=f"Name {number % 3}",
            metadata=metadata,
            created_at=START + timedelta(milliseconds=number),
        )


def test_metadata_of_every_kind_comes_back_as_it_was_stored() -> None:
    assert [row["metadata"] for row in rows(Category, "metadata")] == METADATA


def test_a_nested_answer_to_the_letter() -> None:
    assert one(Category, "c1", "name,rank,children.name,children.children.rank", widened=frozenset()) == {
        "id": "c1",
        "name": "Name 1",
        "rank": 1,
        "children": [
            {"id": "c2", "name": "Name 2", "children": [{"id": "c4", "rank": 0}, {"id": "c5", "rank": 1}]},
            {"id": "c3", "name": "Name 0", "children": []},
        ],
    }


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        (Order(), "012345"),
        (Order(SortKey("name")), "031425"),
        (Order(SortKey("name"), descending=True), "524130"),
        (Order(SortKey("rank")), "024135"),
        (Order(SortKey("created_at"), descending=True), "543210"),
        (Order(SortKey("name", PARENT)), "234501"),
        (Order(SortKey("name", PARENT), descending=True), "105432"),
        (Order(SortKey("created_at", PARENT), descending=True), "105432"),
    ],
)
def test_orders(order: Order, ids: str) -> None:
    assert "".join(row["id"][1:] for row in rows(Category, "id", order=order)) == ids
    paged = [page(Category, "id", order=order, page=Page(2, offset))[0] for offset in (0, 2, 4)]
    assert "".join(row["id"][1:] for two in paged for row in two) == ids


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        (Is("name", "Name 0"), "03"),
        (Is("name", "name 0"), ""),
        (Is("name", "Name 0", negated=True), "1245"),
        (Is("name__icontains", "NAME 1"), "14"),
        (Is("name__icontains", "_"), ""),
        (Is("name__icontains", "%"), ""),
        (Is("id__in", ("c5", "c1", "none")), "15"),
        (Is("parent_category_id__isnull", True), "01"),
        (Is("parent_category_id", "c1"), "23"),
        (Is("created_at", START), "0"),
        (Is("created_at", START, negated=True), "12345"),
        (Is("created_at__gt", START + timedelta(milliseconds=3)), "45"),
        (Is("created_at__lte", START + timedelta(milliseconds=3)), "0123"),
        (Is("created_at__in", (START, START + timedelta(milliseconds=5))), "05"),
        (Is("deleted_at", START, negated=True), "012345"),
        (Is("deleted_at__gt", START), ""),
        (Either((Is("id", "c5"), Every((Is("name", "Name 0"), Is("rank", 1))))), "35"),
        (Either((Is("id", "c5"), Every())), "012345"),
        (Every(), "012345"),
    ],
)
def test_conditions(condition: Any, ids: str) -> None:
    answers, count = page(Category, "id", condition=condition)
    assert ("".join(row["id"][1:] for row in answers), count) == (ids, len(ids))
