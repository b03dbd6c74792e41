"""Objects that the row itself holds, and related rows that are read beside it: none takes a statement of its own."""

from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Lower
from rest_framework import serializers

from catalog.models import ProductCategory
from kit.domain.actor import SYSTEM
from kit.query.conditions import Is
from kit.query.selection import Constant, Selection
from kit.reads.declarations.computed import BatchField, ConstantField, RowField, RowObject, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.sorting import sortable
from kit.reads.reading import ListQuery, read_one
from kit.values.timestamps import isoformat, now
from tests.kit.reads.reads import SHOPPER, one, rows, statements
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db


class Label(ResourceSerializer):
    id = SqlField(serializers.CharField(), expression=Lower("name"))
    text = serializers.CharField(source="name")
    place = serializers.IntegerField(source="rank")
    version = ConstantField(serializers.IntegerField(), value=1)
    origin = ConstantField(serializers.CharField(allow_null=True), value=None)
    facts = serializers.DictField(source="metadata")


def described(name: str, rank: int) -> str:
    return f"{name} at {rank}"


class Shelf(ResourceSerializer):
    id = serializers.CharField()
    name = serializers.CharField()
    metadata = serializers.DictField()
    updated_at = serializers.DateTimeField()
    where = RowField(serializers.CharField(), columns=("name", "rank"), compute=described)
    is_shelf = ConstantField(serializers.BooleanField(), value=True)
    tag = RowObject(lambda: Label)
    above = ToOne(lambda: ShelfAbove, key="parent_category_id", select_related="parent_category")
    shelves = ToMany(lambda: Shelf, key="parent_category_id", inverse="above", present_if=("rank", "description"))

    class Meta:
        model = ProductCategory


class ShelfAbove(ResourceSerializer):
    id = serializers.CharField()
    name = serializers.CharField()
    metadata = serializers.DictField()
    updated_at = serializers.DateTimeField()
    where = RowField(serializers.CharField(), columns=("name", "rank"), compute=described)

    class Meta:
        model = ProductCategory


@pytest.fixture
def shelves() -> list[ProductCategory]:
    return [
        category("a", name="Apples", rank=1, metadata={"b": [1]}),
        category("b", name="Bread", parent="a", rank=0),
        category("c", name="Cheese", parent="a", rank=0, description="Old"),
        category("d", name="Dates", parent="b"),
        category("e", name="Eggs", parent="c"),
    ]


class TestThePartsOfARow:
    def test_they_are_made_of_its_columns(self, shelves: list[ProductCategory]) -> None:
        label = {"id": "apples", "text": "Apples", "place": 1, "version": 1, "origin": None, "facts": {"b": [1]}}
        with statements(1):
            assert one(Shelf, "a", "id,*tag") == {"id": "a", "tag": label}
        assert one(Shelf, "a", "tag.place") == {"id": "a", "tag": {"id": "apples", "place": 1}}

    def test_computed_and_constant_fields(self, shelves: list[ProductCategory]) -> None:
        with statements(1):
            answers = rows(Shelf, "where,is_shelf", condition=Is("id__in", ("a", "b")))
        assert [(each["where"], each["is_shelf"]) for each in answers] == [("Apples at 1", True), ("Bread at 0", True)]

    def test_no_page_is_sorted_by_them(self) -> None:
        assert {"where", "is_shelf", "tag.place"}.isdisjoint(sortable(Shelf))
        assert "above.name" in sortable(Shelf)

    def test_under_other_keys_in_the_order_asked_for(self, shelves: list[ProductCategory]) -> None:
        names = (("kind", Constant("Label")), ("which", "id"))
        below = Selection(("kind", "which", "version"), (), names, ("version", "kind", "which"))
        shaped = Selection((), (("l", below), ("tag", below)), (("l", "tag"),), ("tag", "l"))
        answer: Any = read_one(Shelf, "a", ListQuery(shaped), SHOPPER)
        label = {"version": 1, "kind": "Label", "which": "apples"}
        assert (answer, list(answer), list(answer["l"])) == ({"tag": label, "l": label}, ["tag", "l"], list(label))


class TestRowsBeside:
    def test_one_statement_for_both(self, shelves: list[ProductCategory]) -> None:
        above = shelves[0]
        whole = {"name": "Apples", "metadata": {"b": [1]}, "updated_at": isoformat(above.updated_at)}
        with statements(1):
            answers = rows(Shelf, "id,*above", condition=Is("id__in", ("a", "b")))
        assert answers == [
            {"id": "a", "above": None},
            {"id": "b", "above": {"id": "a", **whole, "where": "Apples at 1"}},
        ]

    def test_a_deleted_one_shows_only_with_deleted_rows(self) -> None:
        category("a", name="Apples", deleted_at=now())
        category("b", parent="a")
        assert one(Shelf, "b", "above.name") == {"id": "b", "above": None}
        shown = one(Shelf, "b", "above.name", actor=SYSTEM, with_deleted=True)
        assert shown == {"id": "b", "above": {"id": "a", "name": "Apples"}}

    def test_in_lists(self, shelves: list[ProductCategory]) -> None:
        with statements(2):
            answer = one(Shelf, "a", "shelves.tag.text,shelves.above.id")
        assert [each["tag"]["text"] for each in answer["shelves"]] == ["Bread", "Cheese"]


def test_a_list_is_looked_for_where_one_of_its_columns_says_so(shelves: list[ProductCategory]) -> None:
    with statements(2):
        answers = rows(Shelf, "shelves.id", condition=Is("id__in", ("a", "b", "c")))
    assert [[below["id"] for below in each["shelves"]] for each in answers] == [["b", "c"], [], ["e"]]
    with statements(1):
        assert one(Shelf, "b", "shelves.id") == {"id": "b", "shelves": []}


def test_what_needs_more_than_the_row_is_a_mistake_of_ours() -> None:
    class Holding(ResourceSerializer):
        id = serializers.CharField()
        loud = SqlField(serializers.CharField(), expression=F("name"))
        late = BatchField(serializers.CharField(), columns=("name",), load=lambda batch: batch.rows)
        shelves = ToMany(lambda: Shelf, key="parent_category_id")

        class Meta:
            model = ProductCategory

    class Held(ResourceSerializer):
        id = serializers.CharField()
        part = RowObject(lambda: Holding)
        above = ToOne(lambda: Holding, key="parent_category_id", select_related="parent_category")

        class Meta:
            model = ProductCategory

    for fields in ("part.shelves.id", "part.late", "above.loud", "above.late", "above.shelves.id"):
        with pytest.raises(TypeError, match="Holding"):
            one(Held, "a", fields)
