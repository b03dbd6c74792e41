"""Filters as tables: raw parameters and the condition they become, or the sentence that refuses them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from catalog.models import ProductCategory
from kit.errors import InvalidData
from kit.query.conditions import EVERYTHING, Condition, Either, Every, Is, Some, Words, as_q
from kit.reads.filters.filtering import ResourceFilterSet
from kit.reads.filters.filters import ChoiceFilter, DateFilter, FlagFilter, ObjectFilter, SearchFilter, TextFilter
from kit.reads.filters.id_filter import IdFilter
from kit.values.timestamps import parse_moment


class BookFilters(ResourceFilterSet):
    q = SearchFilter(columns=("title", "blurb"))
    id = IdFilter(field_name="pk")
    title = TextFilter()
    shelf = TextFilter(nullable=True)
    writer = TextFilter(field_name="author__name")
    kind = ChoiceFilter(choices=("novel", "poems"))
    printed_at = DateFilter()
    sold_out = FlagFilter(field_name="is_sold_out")
    shop_id = TextFilter(field_name="id", through="shelf.shops")
    parts = ObjectFilter(
        members={
            "name": TextFilter(field_name="name"),
            "is_loose": FlagFilter(field_name="is_loose"),
            "size": ObjectFilter(members={"unit": TextFilter(field_name="unit")}, through="sizes"),
        },
        through="parts",
    )
    anywhere = SearchFilter(columns=("title", "chapters__heading"))


NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
EASTER = datetime(2026, 4, 5, 12, 30, 15, 123_000, tzinfo=UTC)


def has(*words: str) -> Condition:
    return Words(("title", "blurb"), words)


ACCEPTED: list[tuple[dict[str, Any], Condition]] = [
    ({}, EVERYTHING),
    ({"title": "a"}, Is("title", "a")),
    ({"title": ""}, Is("title", "")),
    ({"title": "a,b"}, Is("title", "a,b")),
    ({"title": ["a", "b", "a"]}, Is("title__in", ("a", "b"))),
    ({"title": "null"}, Is("title", "null")),
    ({"shelf": "null"}, Is("shelf__isnull", True)),
    ({"shelf": None}, Is("shelf__isnull", True)),
    ({"shelf": "a"}, Is("shelf", "a")),
    ({"shelf": ["a", "null"]}, Either((Is("shelf__in", ("a",)), Is("shelf__isnull", True)))),
    ({"shelf": [None, "a", "b", None]}, Either((Is("shelf__in", ("a", "b")), Is("shelf__isnull", True)))),
    ({"shelf": ["null"]}, Is("shelf__isnull", True)),
    ({"title": ["a", "null"]}, Is("title__in", ("a", "null"))),
    ({"parts": {"name": "a", "is_loose": "true"}}, Some("parts", Every((Is("name", "a"), Is("is_loose", True))))),
    (
        {"parts": {"name": ["a"], "size": {"unit": "mm"}}},
        Some("parts", Every((Is("name__in", ("a",)), Some("sizes", Every((Is("unit", "mm"),)))))),
    ),
    ({"id": "a"}, Is("pk", "a")),
    ({"id": ["a", "b", "a"]}, Is("pk__in", ("a", "b"))),
    ({"id": {"$gt": "a", "$lte": "b"}}, Every((Is("pk__gt", "a"), Is("pk__lte", "b")))),
    ({"id": {"$nin": ["a", "b"]}}, Every((Is("pk__in", ("a", "b"), negated=True),))),
    ({"writer": "a"}, Is("author__name", "a")),
    ({"kind": "poems"}, Is("kind", "poems")),
    ({"kind": ["poems", "novel"]}, Is("kind__in", ("poems", "novel"))),
    ({"title": "a", "shelf": "b"}, Every((Is("title", "a"), Is("shelf", "b")))),
    ({"q": "red  Sea\t"}, has("red", "sea")),
    ({"q": "red RED Séa red"}, has("red", "sea")),
    ({"q": "100%"}, has("100%")),
    ({"q": " "}, EVERYTHING),
    ({"printed_at": "2026-01-01"}, Is("printed_at", NEW_YEAR)),
    ({"printed_at": ["2026-01-01", "2026-04-05T12:30:15.123Z"]}, Is("printed_at__in", (NEW_YEAR, EASTER))),
    ({"printed_at": {"$gte": "2026-01-01"}}, Every((Is("printed_at__gte", NEW_YEAR),))),
    (
        {"printed_at": {"$gt": "2026-01-01", "$lt": "2026-04-05T12:30:15.123Z"}},
        Every((Is("printed_at__gt", NEW_YEAR), Is("printed_at__lt", EASTER))),
    ),
    ({"printed_at": {"$lte": "2026-01-01"}}, Every((Is("printed_at__lte", NEW_YEAR),))),
    ({"printed_at": {"$eq": "2026-01-01"}}, Every((Is("printed_at", NEW_YEAR),))),
    ({"printed_at": {"$ne": "2026-01-01"}}, Every((Is("printed_at", NEW_YEAR, negated=True),))),
    ({"printed_at": {"$in": ["2026-01-01"]}}, Every((Is("printed_at__in", (NEW_YEAR,)),))),
    ({"printed_at": {"$nin": ["2026-01-01"]}}, Every((Is("printed_at__in", (NEW_YEAR,), negated=True),))),
    *(({"sold_out": yes}, Is("is_sold_out", True)) for yes in ("true", "TRUE", "True", True)),
    *(({"sold_out": no}, Is("is_sold_out", False)) for no in ("false", "fAlse", False)),
    ({"shop_id": "s"}, Some("shelf", Some("shops", Is("id", "s")))),
    ({"shop_id": ["s", "t"]}, Some("shelf", Some("shops", Is("id__in", ("s", "t"))))),
    ({"anywhere": "a"}, Words(("title", "chapters__heading"), ("a",))),
    ({"$or": [{"title": "a"}, {"title": "b"}]}, Either((Is("title", "a"), Is("title", "b")))),
    ({"$and": [{"title": "a"}, {"shelf": "b"}]}, Every((Is("title", "a"), Is("shelf", "b")))),
    (
        {"title": "a", "$or": [{"kind": "novel", "shelf": "b"}, {"$and": [{"shelf": "null"}, {"q": "c"}]}]},
        Every(
            (
                Is("title", "a"),
                Either(
                    (
                        Every((Is("kind", "novel"), Is("shelf", "b"))),
                        Every((Is("shelf__isnull", True), has("c"))),
                    )
                ),
            )
        ),
    ),
]


@pytest.mark.parametrize(("parameters", "condition"), ACCEPTED, ids=lambda case: str(case)[:60])
def test_parameters_become_a_condition(parameters: dict[str, Any], condition: Condition) -> None:
    assert BookFilters.parse(parameters) == condition


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"price": "1"}, "Unrecognized fields: 'price'"),
    ({"price": "1", "title": "a", "": "b"}, "Unrecognized fields: 'price, '"),
    ({"Title": "a"}, "Unrecognized fields: 'Title'"),
    ({"$not": [{"title": "a"}]}, "Unrecognized fields: '$not'"),
    ({"author__name": "a"}, "Unrecognized fields: 'author__name'"),
    ({"title__icontains": "a"}, "Unrecognized fields: 'title__icontains'"),
    ({"limit": "1"}, "Unrecognized fields: 'limit'"),
    ({"title": {"$ne": "a"}}, "Expected type: 'string' for field 'title', got: '[object Object]'"),
    ({"id": 5}, "Expected type: 'string' for field 'id', got: '5'"),
    ({"id": {"$gt": ["a"]}}, "Expected type: 'string' for field 'id', got: 'a'"),
    ({"id": {"$ge": "a"}}, "Unrecognized operator '$ge' for field 'id'"),
    ({"id": {}}, "Expected type: 'string' for field 'id', got: '{}'"),
    ({"title": ["a", {"b": "c"}]}, "Expected type: 'string' for field 'title', got: 'a,[object Object]'"),
    ({"title": []}, "Expected type: 'string' for field 'title', got: ''"),
    ({"title": ["a", None]}, "Expected type: 'string' for field 'title', got: 'a,None'"),
    ({"shelf": ["a", 5]}, "Expected type: 'string' for field 'shelf', got: 'a,5'"),
    ({"parts": {}}, "Expected type: 'object' for field 'parts', got: '[object Object]'"),
    ({"parts": {"weight": "5"}}, "Unrecognized fields: 'parts[weight]'"),
    ({"parts": {"size": {"colour": "red"}}}, "Unrecognized fields: 'parts[size][colour]'"),
    ({"parts": {"size": "5"}}, "Expected type: 'object' for field 'parts[size]', got: '5'"),
    ({"parts": {"is_loose": "no"}}, "Expected type: 'boolean' for field 'parts[is_loose]', got: 'no'"),
    ({"title": None}, "Expected type: 'string' for field 'title', got: 'None'"),
    ({"title": 5}, "Expected type: 'string' for field 'title', got: '5'"),
    ({"q": ["a"]}, "Expected type: 'string' for field 'q', got: 'a'"),
    ({"q": {"a": "b"}}, "Expected type: 'string' for field 'q', got: '[object Object]'"),
    ({"q": "x" * 1001}, "Value for field 'q' too big, expected at most: '1000' characters"),
    ({"kind": "essay"}, "Expected: 'novel, poems' for field 'kind', but got: 'essay'"),
    ({"kind": ["novel", "essay"]}, "Expected: 'novel, poems' for field 'kind', but got: 'essay'"),
    ({"kind": {"novel": "a"}}, "Expected: 'novel, poems' for field 'kind', but got: '[object Object]'"),
    *(
        ({"sold_out": value}, f"Expected type: 'boolean' for field 'sold_out', got: '{reported}'")
        for value, reported in [("1", "1"), ("", ""), ("yes", "yes"), (1, "1"), (None, "None"), (["true"], "true")]
    ),
    ({"shop_id": {"a": "b"}}, "Expected type: 'string' for field 'shop_id', got: '[object Object]'"),
    ({"anywhere": 5}, "Expected type: 'string' for field 'anywhere', got: '5'"),
    ({"printed_at": "yesterday"}, "Expected type: 'date' for field 'printed_at', got: 'yesterday'"),
    ({"printed_at": ["2026-01-01", "x"]}, "Expected type: 'date' for field 'printed_at', got: 'x'"),
    ({"printed_at": {"$gte": ["2026-01-01"]}}, "Expected type: 'date' for field 'printed_at', got: '2026-01-01'"),
    (
        {"printed_at": {"$gte": {"$gte": "2026-01-01"}}},
        "Expected type: 'date' for field 'printed_at', got: '[object Object]'",
    ),
    ({"printed_at": {"gte": "2026-01-01"}}, "Unrecognized operator 'gte' for field 'printed_at'"),
    ({"printed_at": {"$like": "2026%"}}, "Unrecognized operator '$like' for field 'printed_at'"),
    ({"printed_at": {"$in": []}}, "Expected type: 'array' for field 'printed_at', got: ''"),
    ({"printed_at": {}}, "Expected type: 'string' for field 'printed_at', got: '{}'"),
    ({"$or": "a"}, "Expected type: 'array' of objects for field '$or', got: 'a'"),
    ({"$or": []}, "Expected type: 'array' of objects for field '$or', got: ''"),
    ({"$or": ["a"]}, "Expected type: 'array' of objects for field '$or', got: 'a'"),
    ({"$or": [{}]}, "Expected type: 'array' of objects for field '$or', got: '[object Object]'"),
    ({"$and": {"title": "a"}}, "Expected type: 'array' of objects for field '$and', got: '[object Object]'"),
    ({"$or": [{"title": "a"}, {"price": "b"}]}, "Unrecognized fields: 'price'"),
    ({"$or": [{"fields": "id"}]}, "Unrecognized fields: 'fields'"),
    ({"$and": [{"$or": [{"printed_at": "x"}]}]}, "Expected type: 'date' for field 'printed_at', got: 'x'"),
]


@pytest.mark.parametrize(("parameters", "message"), REFUSED, ids=lambda case: str(case)[:60])
def test_what_cannot_be_understood_is_refused_by_name(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        BookFilters.parse(parameters)
    assert refusal.value.message == f"Invalid request: {message}"


def nested(levels: int) -> dict[str, Any]:
    condition: dict[str, Any] = {"title": "a"}
    for level in range(levels):
        condition = {("$and", "$or")[level % 2]: [condition]}
    return condition


@pytest.mark.parametrize(
    ("within", "beyond", "message"),
    [
        (nested(4), nested(5), "'$and' is nested deeper than 4 levels"),
        ({"$or": [{"title": "a"}] * 50}, {"$or": [{"title": "a"}] * 51}, "More than 50 conditions in one request"),
        (
            {"q": "a b c d e f g h " * 2 + "A H"},
            {"q": "a b c d e f g h i"},
            "The searches of field 'q' hold more than 8 words in one request",
        ),
        (
            {"anywhere": "a b c d e f g h"},
            {"anywhere": "a b c d e f g h i"},
            "The searches of field 'anywhere' hold more than 8 words in one request",
        ),
        (
            {"$and": [{"q": "a b c d"}, {"$or": [{"q": "a b c"}, {"anywhere": "a"}]}]},
            {"$and": [{"q": "a b c d"}, {"$or": [{"q": "a b c"}, {"anywhere": "a b"}]}]},
            "The searches of field 'anywhere' hold more than 8 words in one request",
        ),
        ({"$or": [{"shop_id": "a"}] * 50}, {"$or": [{"shop_id": "a"}] * 51}, "More than 50 conditions in one request"),
        (
            {"shop_id": [str(number) for number in range(1000)]},
            {"shop_id": [str(number) for number in range(1001)]},
            "More than 1000 values in the lists of one request",
        ),
        (
            {"$or": [{"parts": {"name": "a", "size": {"unit": "mm"}}}] * 25},
            {"$or": [{"parts": {"name": "a", "size": {"unit": "mm"}}}] * 26},
            "More than 50 conditions in one request",
        ),
        ({"$or": [{"q": ""}] * 50}, {"$or": [{"q": ""}] * 51}, "More than 50 conditions in one request"),
        (
            {"$or": [{"printed_at": {"$gt": "2026-01-01", "$lt": "2026-01-01"}}] * 25},
            {"$or": [{"printed_at": {"$gt": "2026-01-01", "$lt": "2026-01-01"}}] * 25, "title": "a"},
            "More than 50 conditions in one request",
        ),
        (
            {"title": [str(number) for number in range(1000)]},
            {"title": [str(number) for number in range(1001)]},
            "More than 1000 values in the lists of one request",
        ),
        (
            {"$or": [{"title": [str(number) for number in range(500)]}] * 2},
            {"$or": [{"title": [str(number) for number in range(501)]}] * 2},
            "More than 1000 values in the lists of one request",
        ),
    ],
)
def test_a_filter_has_its_bounds(within: dict[str, Any], beyond: dict[str, Any], message: str) -> None:
    BookFilters.parse(within)
    with pytest.raises(InvalidData) as refusal:
        BookFilters.parse(beyond)
    assert refusal.value.message == f"Invalid request: {message}"


MOMENTS = [
    ("2026-01-01", NEW_YEAR),
    ("2026-01-01T00:00:00", NEW_YEAR),
    ("2026-01-01 00:00", NEW_YEAR),
    ("2026-01-01T00:00:00Z", NEW_YEAR),
    ("2026-01-01T02:00:00+02:00", NEW_YEAR),
    ("2025-12-31T19:00:00-05:00", NEW_YEAR),
    ("2026-04-05T12:30:15.123Z", EASTER),
    ("2026-04-05T12:30:15.123456Z", EASTER),
    ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
    ("9999-12-31T23:59:59.999Z", datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)),
]
NO_MOMENTS = [
    "", " ", "now", "1767225600", "2026-13-01", "2026-02-30", "2026-01-01T25:00", "2026-01-01T00:00:61Z", "01/01/2026",
    "2026-01-01T00:00:00+99:00", "0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-02:00", "20260-01-01", "-2026-01-01",
    "2026-01-01Z", "2026-01-01T", "\uff12\uff10\uff12\uff16-01-01", "infinity", "2026-01-01T00:00:00Z; DROP TABLE book",
]  # fmt: skip


@pytest.mark.parametrize(("text", "moment"), MOMENTS)
def test_iso_8601_is_a_moment(text: str, moment: datetime) -> None:
    assert parse_moment(text) == moment


@pytest.mark.parametrize("text", NO_MOMENTS)
def test_other_texts_are_none(text: str) -> None:
    assert parse_moment(text) is None


def everything(model: Any) -> Any:
    return model.objects.all()


ALWAYS = Every()


@pytest.mark.parametrize(
    "condition",
    [
        ALWAYS,
        Every((ALWAYS, ALWAYS)),
        Either((Is("name", "a"), ALWAYS)),
        Either((ALWAYS, Is("name", "a"))),
        Either((Is("name", "a"), Every((ALWAYS,)))),
        Either((Is("name", "a"), Either((Is("name", "b"), ALWAYS)))),
    ],
)
@pytest.mark.django_db
def test_what_is_always_true_keeps_every_row(condition: Condition) -> None:
    ProductCategory.objects.create(name="c", handle="c", path="c", is_visible=True)
    assert ProductCategory.objects.filter(as_q(condition, ProductCategory, everything)).count() == 1
    assert (
        ProductCategory.objects.filter(as_q(Every((Is("name", "d"), condition)), ProductCategory, everything)).count()
        == 0
    )
