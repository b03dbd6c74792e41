"""Statements: what is added by hand to the ORM's own SQL, run on the database at hand."""

import pytest
from django.db import connection
from django.db.models import Count, F, OuterRef, Subquery, TextField, Value
from django.db.models.functions import Cast, Concat

from catalog.models import ProductCategory
from kit.reads.sql import statements
from kit.reads.sql.placeholders import Slot
from kit.reads.sql.statements import KEYS, Statement
from tests.kit.reads.reads import rows
from tests.kit.reads.resources import categories, category

pytestmark = pytest.mark.django_db

ODD = [
    "it's", "''", 'say "a"', '"', "\\", '\\"', "\\\\", "{a}", "{}", "a,b", ",", "", " ", " a ", "NULL", "null", "a\nb",
    "\t", "%", "%s", "%%s", "%(a)s", "$1", ":a", "?", "é", "日本", "🙂", "a;b", "--", "/*", "[1]", "\x7f", "\x01",
    "E'a'", "$$",
]  # fmt: skip
FROM_ARRAY = {"sqlite": "SELECT value FROM json_each(%s)", "postgresql": "SELECT unnest(%s::text[])"}


def found(*lists: list[str]) -> list[list[str]]:
    return [
        [row[0] for row in statements.fetch(FROM_ARRAY[connection.vendor], [statements.array(keys)])] for keys in lists
    ]


def test_keys_of_any_characters_pass_as_one_parameter() -> None:
    singly = [[key] for key in ODD]
    assert found(ODD, [], *singly) == [ODD, [], *singly]


class TestKeysInsteadOfAList:
    def statement(self) -> Statement:
        chosen = ProductCategory.objects.filter(name__gte="", id__in=[KEYS], rank__gte=0).order_by("pk")
        asked = statements.of(chosen, ["id", "rank"])
        assert asked is not None
        return statements.with_keys(asked, Slot(0))

    def test_one_text_serves_any_number_of_keys(self) -> None:
        for key in ODD:
            category(key)
        for keys in ([], ["%s"], ODD, [*ODD, *(str(number) for number in range(2_000))]):
            asked = [row[0] for row in self.statement().run([statements.array(keys)])]
            assert asked == sorted(set(keys) & set(ODD), key=str.encode)

    def test_a_row_is_found_once_however_often_its_key_is_named(self) -> None:
        category("a")
        assert self.statement().run([statements.array(["a", "a", "b", "a"])]) == [("a", 0)]

    def test_it_is_refused_where_the_orm_wrote_no_list(self) -> None:
        single = statements.of(ProductCategory.objects.filter(name=KEYS), ["id"])
        assert single is not None
        with pytest.raises(AssertionError, match="no IN list around the keys"):
            statements.with_keys(single, Slot(0))


def test_relations_find_their_rows_by_ids_of_any_characters() -> None:
    for key in ODD:
        category(key)
        category(f"child of {key}", parent=key)
    answers = {row["id"]: row for row in rows(categories(), "id,parent.id,children.id")}
    for key in ODD:
        assert answers[key] == {"id": key, "parent": None, "children": [{"id": f"child of {key}"}]}
        assert answers[f"child of {key}"]["parent"] == {"id": key}


class TestBranches:
    """Rows below paths: '/' follows '.', and everything between is below."""

    def below(self, *paths: str, columns: tuple[object, ...] = ("id",)) -> list[tuple[object, ...]]:
        asked = statements.of(ProductCategory.objects.filter(rank__gte=0), columns)
        assert asked is not None
        below = statements.below_prefixes(asked, "catalog_productcategory", "path", Slot(0))
        return sorted(below.run([statements.array(list(paths))]))

    @pytest.fixture(autouse=True)
    def tree(self) -> None:
        for key, parent in [
            ("a", None),
            ("a1", "a"),
            ("a2", "a1"),
            ("a-", None),
            ("ab", None),
            ("ab1", "ab"),
            ("A", None),
            ("é", None),
            ("é1", "é"),
        ]:
            category(key, parent=parent)

    def test_descendants_and_nothing_else(self) -> None:
        assert self.below("a") == [("a1",), ("a2",)]
        assert self.below("a.a1", "ab", "é") == [("a2",), ("ab1",), ("é1",)]
        assert self.below("a.a1.a2", "A", "nowhere", "") == []
        assert self.below() == []

    def test_beside_columns_with_subqueries_and_parameters_of_their_own(self) -> None:
        parent = ProductCategory.objects.filter(pk=OuterRef("parent_category_id"), rank__gte=0).values("name")[:1]
        named = Concat(
            Value("named (", output_field=TextField()), F("name"), Value(" FROM x"), output_field=TextField()
        )
        assert self.below("a", columns=(named, Subquery(parent), "id")) == [
            ("named (a1 FROM x", "a", "a1"),
            ("named (a2 FROM x", "a1", "a2"),
        ]


class TestPages:
    def test_the_count_of_all_rows_is_each_rows_last_value(self) -> None:
        for key in "abcd":
            category(key)
        chosen = ProductCategory.objects.filter(name__gt="a", id__lt="e")
        counted = statements.page(chosen.order_by("id"), ["id"], statements.count(chosen))
        assert counted is not None
        assert counted.run([2, 1]) == [("c", 3), ("d", 3)]
        assert counted.run([2, 3]) == []
        count = statements.count(chosen)
        assert count is not None
        assert count.run() == [(3,)]

    def test_rows_that_are_known_to_be_none_need_no_statement(self) -> None:
        nothing = ProductCategory.objects.none()
        assert statements.of(nothing, ["id"]) is None
        assert statements.page(nothing, ["id"], statements.count(nothing)) is None
        assert statements.count(ProductCategory.objects.filter(pk__in=[])) is None

    @pytest.mark.parametrize(
        ("column", "descending", "expected"),
        [
            (None, False, "abcde"),
            (None, True, "edcba"),
            ("rank", False, "debca"),
            ("rank", True, "acbed"),
            ("parent_category__rank", False, "cdabe"),
            ("parent_category__rank", True, "ebadc"),
        ],
    )
    def test_ids_break_ties_and_missing_values_stand_last_or_first(
        self, column: str | None, descending: bool, expected: str
    ) -> None:
        for key, parent, rank in [("a", None, 9), ("b", None, 3), ("c", "b", 3), ("d", "b", 1), ("e", None, 1)]:
            category(key, parent=parent, rank=rank)
        rows = statements.ordered(ProductCategory.objects.all(), column and F(column), descending=descending)
        ordered = statements.page(rows, ["id"], None)
        assert ordered is not None
        assert "".join(row[0] for row in ordered.run([10, 0])) == expected

    def test_a_grouped_queryset_is_counted_by_its_rows(self) -> None:
        for key, parent in [("a", None), ("b", "a"), ("c", "a")]:
            category(key, parent=parent)
        grouped = ProductCategory.objects.annotate(below=Count("category_children")).filter(below=0)
        counted = statements.page(grouped.order_by("id"), ["id"], statements.count(grouped))
        assert counted is not None
        assert counted.run([5, 0]) == [("b", 2), ("c", 2)]


def test_timestamps_and_json_come_as_text() -> None:
    category("a", metadata={"b": [1, "é"]})
    columns = (
        [Cast("updated_at", TextField()), Cast("metadata", TextField())]
        if connection.vendor == "sqlite"
        else ["updated_at", "metadata"]
    )
    asked = statements.of(ProductCategory.objects.all(), columns)
    assert asked is not None
    ((moment, metadata),) = asked.run()
    assert isinstance(moment, str)
    assert metadata.replace(" ", "") in ('{"b":[1,"é"]}', '{"b":[1,"\\u00e9"]}')
