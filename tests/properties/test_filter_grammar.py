"""Filters against a plain evaluation of their operators, row by row in Python."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from catalog.api.filters import ProductCategoryFilters
from catalog.api.serializers import ProductCategorySerializer
from catalog.models import ProductCategory
from kit.reads.filters.filtering import Searching
from kit.search.text import is_found, words_of
from kit.values.timestamps import parse_moment
from tests.contract.shelves import START, stock
from tests.kit.reads.reads import page

pytestmark = pytest.mark.django_db

IDS = [f"<{number}>" for number in range(9)]
"""Stand for the ids of the rows in the order of their making; the ninth is nobody's."""
DAYS = [START + timedelta(days=day, milliseconds=step) for day in range(8) for step in (-1, 0, 1)]
moments = st.sampled_from([day.isoformat() for day in DAYS] + ["2026-03-04", "1970-01-01", "9999-12-31T23:59:59.999Z"])
words = st.sampled_from(["juice", "JUICE", "e", "fresh", "100%", "%", "_", "every", "ju", "\\", "'", '"', "nobody"])
known = {
    "name": ["Food", "food", "Fruit", "Juice_A", "100% Juice", ""],
    "handle": ["food", "juice_a", "100%-juice", "F%"],
    "description": ["", "cloudy", "red, green"],
    "id": IDS,
    "parent_category_id": [*IDS, "null"],
}


def one_or_many(values: list[str]) -> st.SearchStrategy[Any]:
    return st.sampled_from(values) | st.lists(
        st.sampled_from([each for each in values if each != "null"]), min_size=1, max_size=4
    )


one_or_many_moments = moments | st.lists(moments, min_size=1, max_size=3)
compared = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("$gt", "$gte", "$lt", "$lte"), moments),
        **dict.fromkeys(("$eq", "$ne", "$in", "$nin"), one_or_many_moments),
    },
).filter(bool)
leaves = st.one_of(
    st.builds(lambda text: {"q": text}, st.lists(words, max_size=3).map(" ".join)),
    *(st.builds(lambda value, name=name: {name: value}, one_or_many(values)) for name, values in known.items()),
    st.builds(
        lambda name, value: {name: value},
        st.sampled_from(["created_at", "updated_at", "deleted_at"]),
        one_or_many_moments | compared,
    ),
)


def joined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(inner, min_size=1, max_size=3)
    return st.builds(
        lambda own, conjoined, either: {
            **own,
            **({"$and": conjoined} if conjoined else {}),
            **({"$or": either} if either else {}),
        },
        inner,
        st.none() | lists,
        st.none() | lists,
    )


trees = joined(joined(leaves)) | joined(leaves) | leaves


def with_ids(value: Any, ids: list[str]) -> Any:
    if isinstance(value, dict):
        return {key: with_ids(below, ids) for key, below in value.items()}
    if isinstance(value, list):
        return [with_ids(item, ids) for item in value]
    return ids[IDS.index(value)] if value in IDS else value


def holds(condition: dict[str, Any], row: ProductCategory) -> bool:
    """Whether every key of the condition is true of the row."""
    return all(_holds(key, value, row) for key, value in condition.items())


def _holds(key: str, value: Any, row: ProductCategory) -> bool:
    if key == "$and":
        return all(holds(item, row) for item in value)
    if key == "$or":
        return any(holds(item, row) for item in value)
    if key == "q":
        return is_found(words_of(value), (row.name, row.description, row.handle))
    if key.endswith("_at"):
        operators = value if isinstance(value, dict) else {"$eq": value}
        return all(_compares(getattr(row, key), operator, _moments(bound)) for operator, bound in operators.items())
    if key == "parent_category_id" and value == "null":
        return row.parent_category_id is None
    return getattr(row, key) in (value if isinstance(value, list) else [value])


def _moments(value: Any) -> list[datetime]:
    parsed = [parse_moment(text) for text in (value if isinstance(value, list) else [value])]
    return [moment for moment in parsed if moment is not None]


def _compares(stored: datetime | None, operator: str, bounds: list[datetime]) -> bool:
    if operator in ("$ne", "$nin"):
        return stored not in bounds
    if stored is None:
        return False
    if operator in ("$eq", "$in"):
        return stored in bounds
    return {
        "$gt": stored > bounds[0],
        "$gte": stored >= bounds[0],
        "$lt": stored < bounds[0],
        "$lte": stored <= bounds[0],
    }[operator]


@pytest.fixture
def shelf() -> list[ProductCategory]:
    return list(stock().values())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees)
@example(tree={"$or": [{"q": ""}, {"name": "Food"}]})
@example(tree={"$or": [{"$and": [{"q": " "}]}, {"name": "Food"}], "handle": "food"})
@example(tree={"deleted_at": {"$ne": "1970-01-01"}, "$or": [{"deleted_at": {"$nin": ["1970-01-01"]}}]})
def test_the_database_finds_the_rows_of_which_the_condition_is_true(
    tree: dict[str, Any], shelf: list[ProductCategory]
) -> None:
    condition = with_ids(tree, [*(category.pk for category in shelf), "nobody"])
    answers, count = page(
        ProductCategorySerializer, "name", condition=ProductCategoryFilters.parse(condition, Searching(left=1000))
    )
    expected = [category.name for category in shelf if holds(condition, category)]
    assert ([answer["name"] for answer in answers], count) == (expected, len(expected))
