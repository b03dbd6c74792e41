"""Objects that no table holds: computed by one call for all rows of a level, picked from without a statement."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import orjson
import pytest
from rest_framework import serializers

from catalog.models import Price, PriceSet, ProductCategory
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.query.selection import Constant, Selection
from kit.reads.declarations.computed import Batch, BatchField, BatchRelation, Embedded, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from kit.reads.reading import ListQuery, read_page
from tests.kit.reads.reads import SHOPPER, one, rows, statements
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db

batches: list[Batch] = []


def reference(key: str) -> dict[str, Any]:
    return {"id": f"ref {key}", "amount": 5}


def load_quotes(batch: Batch) -> Sequence[Any]:
    batches.append(batch)
    return [
        None if rank == 9 else {
            "id": name, "amount": 1.5, "first": reference(name), "second": None,
            "steps": [{"id": f"{name} {number}", "amount": number} for number in range(rank)],
            "unknown": "never shown",
        }
        for name, rank in batch.rows
    ]  # fmt: skip


def load_sizes(batch: Batch) -> Sequence[Any]:
    batches.append(batch)
    return [[{"id": letter, "amount": 1} for letter in name] for name, _ in batch.rows]


class Reference(ResourceSerializer):
    id = serializers.CharField()
    amount = MoneyValue()


class Quote(ResourceSerializer):
    id = serializers.CharField()
    amount = MoneyValue()
    first = Embedded(lambda: Reference, along=True)
    second = Embedded(lambda: Reference, along=True)
    steps = Embedded(lambda: Reference, many=True)


class Shelf(ResourceSerializer):
    id = serializers.CharField()
    quote = BatchRelation(lambda: Quote, columns=("name", "rank"), load=load_quotes)
    sizes = BatchRelation(lambda: Reference, columns=("name", "rank"), load=load_sizes, many=True)
    children = ToMany(lambda: Shelf, key="parent_category_id", order=("-rank",))
    parent = ToOne(lambda: Shelf, key="parent_category_id")

    class Meta:
        model = ProductCategory


@pytest.fixture(autouse=True)
def shelves() -> None:
    batches.clear()
    category("a", name="Ann", rank=2)
    category("b", name="Bob", rank=0, parent="a")
    category("c", name="Cy", rank=9, parent="a")


def test_an_object_brings_its_scalars_and_what_comes_along() -> None:
    whole = {"id": "Ann", "amount": 1.5, "first": {"id": "ref Ann", "amount": 5}, "second": None}
    with statements(1):
        assert one(Shelf, "a", "id,*quote") == {"id": "a", "quote": whole}
    assert one(Shelf, "a", "quote") == {"id": "a", "quote": whole}
    assert one(Shelf, "a", "+quote") == {"id": "a", "quote": whole}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("quote.amount", {"id": "Ann", "amount": 1.5}),
        ("quote.first.amount", {"id": "Ann", "first": {"id": "ref Ann", "amount": 5}}),
        ("quote.second", {"id": "Ann", "second": None}),
        ("*quote.steps", {"id": "Ann", "steps": [{"id": "Ann 0", "amount": 0}, {"id": "Ann 1", "amount": 1}]}),
    ],
)
def test_what_is_not_asked_for_is_left_out(fields: str, expected: Any) -> None:
    assert one(Shelf, "a", f"id,{fields}")["quote"] == expected


def test_what_comes_along_can_be_removed() -> None:
    assert one(Shelf, "a", "+quote,-quote.first") == {
        "id": "a", "quote": {"id": "Ann", "amount": 1.5, "second": None},
    }  # fmt: skip
    assert one(Shelf, "a", "+quote,-quote") == {"id": "a"}


def test_defaults_bring_what_comes_along_too() -> None:
    selection = FieldSet(lambda: shape_of(Shelf), defaults="*quote").parse(None)
    quote = selection.relation("quote")
    assert quote is not None
    assert [name for name, _ in quote.relations] == ["first", "second"]


def test_rows_without_one_have_null_and_lists_stay_lists() -> None:
    assert [row["quote"] for row in rows(Shelf, "quote.amount")] == [
        {"id": "Ann", "amount": 1.5}, {"id": "Bob", "amount": 1.5}, None,
    ]  # fmt: skip
    assert one(Shelf, "c", "sizes") == {"id": "c", "sizes": [{"id": "C", "amount": 1}, {"id": "y", "amount": 1}]}


def test_one_call_for_each_level_whatever_its_rows() -> None:
    with statements(3):
        rows(Shelf, "quote.id,children.quote.id,parent.quote.id")
    assert sorted(sorted(batch.rows) for batch in batches) == [
        [("Ann", 2)],
        [("Ann", 2), ("Bob", 0), ("Cy", 9)],
        [("Bob", 0), ("Cy", 9)],
    ]
    assert {batch.actor for batch in batches} == {SHOPPER}


def test_the_function_learns_what_is_asked_for() -> None:
    one(Shelf, "a", "quote.first.amount")
    (batch,) = batches
    assert batch.selection == Selection(("id",), (("first", Selection(("id", "amount"))),))


def test_without_rows_it_is_not_called() -> None:
    assert rows(Shelf, "*quote", condition=Is("id", "nobody")) == []
    assert batches == []


def test_a_shaped_answer_has_its_keys_in_their_order() -> None:
    first = Selection(("t", "n"), names=(("t", Constant("Reference")), ("n", "amount")), order=("t", "n"))
    quote = Selection(
        ("cost",), (("one", first), ("two", first), ("more", Selection(("id",), order=("id",)))),
        names=(("cost", "amount"), ("one", "first"), ("two", "second"), ("more", "steps")),
        order=("one", "cost", "more", "two"),
    )  # fmt: skip
    selection = Selection(("id",), (("q", quote),), names=(("q", "quote"),), order=("q", "id"))
    listed = read_page(Shelf, ListQuery(selection, Is("pk", "a"), page=Page(1)), SHOPPER)
    assert orjson.dumps(listed.answers) == (
        b'[{"q":{"one":{"t":"Reference","n":5},"cost":1.5,"more":[{"id":"Ann 0"},{"id":"Ann 1"}],"two":null},"id":"a"}]'
    )


def test_a_computed_object_holds_no_relation_of_tables() -> None:
    class Wrong(ResourceSerializer):
        shelf = ToOne(lambda: Shelf, key="id")

    class Holder(ResourceSerializer):
        id = serializers.CharField()
        wrong = BatchRelation(lambda: Wrong, columns=(), load=lambda batch: [{}])
        inside = Embedded(lambda: Reference)

        class Meta:
            model = ProductCategory

    with pytest.raises(TypeError, match="shelf of Wrong stands in a computed object"):
        one(Holder, "a", "wrong.shelf.id")
    with pytest.raises(TypeError, match="inside of Holder stands in no computed object"):
        one(Holder, "a", "inside.id")


def test_relations_inside_count_towards_the_depth() -> None:
    assert one(Shelf, "a", "children.children.quote.first.id")["children"] == [
        {"id": "c", "children": []}, {"id": "b", "children": []},
    ]  # fmt: skip
    with pytest.raises(InvalidData, match="expand more than the maximum of 4"):
        one(Shelf, "a", "children.children.children.quote.first.id")


class TestValuesGivenAndTaken:
    """Functions calculate with Python's values: exact amounts, aware moments, parsed JSON."""

    def test_columns_come_as_python_values(self) -> None:
        class Detail(ResourceSerializer):
            id = serializers.CharField()
            created_at = serializers.DateTimeField()
            seen = BatchField(
                serializers.CharField(),
                columns=("created_at", "metadata", "deleted_at", "parent_category__updated_at", "is_active"),
                load=lambda batch: batches.append(batch) or ["x"] * len(batch.rows),
            )

            class Meta:
                model = ProductCategory

        ProductCategory.objects.filter(pk="b").update(metadata={"é": [1]})
        answer = one(Detail, "b", "created_at,seen")
        (batch,) = batches
        moment, metadata, deleted, above, active = batch.rows[0]
        stored = ProductCategory.objects.get(pk="b")
        assert (moment, metadata, deleted, active) == (stored.created_at, {"é": [1]}, None, True)
        assert stored.parent_category is not None
        assert above == stored.parent_category.updated_at
        assert moment.utcoffset().total_seconds() == 0
        assert answer["created_at"].startswith(moment.isoformat()[:19])

    def test_amounts_are_exact_and_shown_as_numbers(self) -> None:
        class Cost(ResourceSerializer):
            id = serializers.CharField()
            double = BatchField(
                MoneyValue(), columns=("amount",), load=lambda batch: [amount * 2 for (amount,) in batch.rows]
            )
            as_it_is = BatchField(MoneyValue(), columns=(), load=lambda batch: [7.5])
            none = BatchField(MoneyValue(), columns=(), load=lambda batch: [None])
            changed = BatchField(
                serializers.DateTimeField(), columns=("updated_at",), load=lambda batch: [row[0] for row in batch.rows]
            )
            updated_at = serializers.DateTimeField()

            class Meta:
                model = Price

        price = Price.objects.create(price_set=PriceSet.objects.create(), currency_id="eur", amount=Decimal("10.1"))
        answer = one(Cost, price.pk, actor=SYSTEM)
        assert answer == {
            "id": price.pk, "double": 20.2, "as_it_is": 7.5, "none": None,
            "changed": answer["updated_at"], "updated_at": answer["updated_at"],
        }  # fmt: skip
        assert datetime.fromisoformat(answer["changed"]) == price.updated_at
        Price.objects.update(amount=Decimal(10))
        assert type(one(Cost, price.pk, "double", actor=SYSTEM)["double"]) is int


def test_one_field_under_two_keys_is_computed_once() -> None:
    class Twice(ResourceSerializer):
        id = serializers.CharField()
        size = BatchField(serializers.CharField(), columns=("name",), load=lambda batch: batches.append(batch) or ["x"])

        class Meta:
            model = ProductCategory

    both = Selection(("a", "b"), names=(("a", "size"), ("b", "size")), order=("a", "b"))
    listed = read_page(Twice, ListQuery(both, Is("pk", "a"), page=Page(1)), SHOPPER)
    assert (listed.answers, len(batches)) == ([{"a": "x", "b": "x"}], 1)
