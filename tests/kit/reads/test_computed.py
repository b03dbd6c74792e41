"""Fields that no column holds: computed by the database row by row, or by one call for all rows of an answer."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import Case, Count, F, IntegerField, OuterRef, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce, Concat, Lower
from rest_framework import serializers

from catalog.models import ProductCategory
from kit.domain.actor import Actor
from kit.query.conditions import Is
from kit.reads.declarations.computed import Batch, BatchField, MoneyValue, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.values.timestamps import isoformat
from tests.kit.reads.reads import SHOPPER, one, page, rows, statements
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db

batches: list[Batch] = []


@pytest.fixture(autouse=True)
def no_batches() -> None:
    batches.clear()


def load_sizes(batch: Batch) -> Sequence[Any]:
    batches.append(batch)
    return [f"{name} {rank}" for name, rank in batch.rows]


def below(aggregate: Any) -> Any:
    """An aggregate over the children, as a subquery of the row."""
    children = (
        ProductCategory.objects.filter(parent_category=OuterRef("pk"), name__gte="")
        .order_by()
        .values("parent_category")
    )
    return Subquery(children.annotate(value=aggregate).values("value")[:1])


class Shelf(ResourceSerializer):
    id = serializers.CharField()
    loud = SqlField(serializers.CharField(), expression=Concat(Lower("name"), Value("! %s 100% FROM x")))
    is_first = SqlField(serializers.BooleanField(), expression=Case(When(rank=0, then=True), default=False))
    changed_at = SqlField(serializers.DateTimeField(), expression=F("updated_at"))
    settled_at = SqlField(serializers.DateTimeField(), expression=Coalesce("deleted_at", "updated_at"))
    facts = SqlField(serializers.DictField(), expression=F("metadata"))
    worth = SqlField(MoneyValue(), expression=below(Sum(F("rank") * 5_000, output_field=IntegerField())))
    amount = SqlField(serializers.IntegerField(), expression=Coalesce(below(Count("pk")), 0))
    size = BatchField(serializers.CharField(), columns=("name", "rank"), load=load_sizes)
    above = ToOne(lambda: Shelf, key="parent_category_id", path="path")
    shelves = ToMany(lambda: Shelf, key="parent_category_id", path="path", order=("rank",))

    class Meta:
        model = ProductCategory


@pytest.fixture
def shelves() -> list[ProductCategory]:
    return [
        category("a", name="Apples", metadata={"b": [1]}),
        category("b", name="Bread", parent="a", rank=1),
        category("c", name="Cheese", parent="a", rank=2),
        category("d", name="Dates", parent="b", rank=0),
    ]


class TestByTheDatabase:
    def test_each_row_has_its_own_value_of_the_right_type(self, shelves: list[ProductCategory]) -> None:
        moment = isoformat(shelves[0].updated_at)
        expected = {
            "loud": "apples! %s 100% FROM x",
            "is_first": True,
            "changed_at": moment,
            "settled_at": moment,
            "facts": {"b": [1]},
            "worth": 1.5,
            "amount": 2,
        }
        with statements(1):
            assert one(Shelf, "a", ",".join(expected)) == {"id": "a", **expected}
        for name, value in expected.items():
            assert one(Shelf, "a", name) == {"id": "a", name: value}

    def test_missing_values_are_null(self, shelves: list[ProductCategory]) -> None:
        assert one(Shelf, "d", "facts,worth,amount") == {"id": "d", "facts": None, "worth": None, "amount": 0}

    @pytest.mark.parametrize("field", ["loud", "worth", "changed_at"])
    def test_on_a_page_with_a_filter_a_count_and_relations(self, field: str, shelves: list[ProductCategory]) -> None:
        singly = {shelf.pk: one(Shelf, shelf.pk, field) for shelf in shelves}
        with statements(3):
            answers, count = page(Shelf, f"{field},shelves.{field},above.{field}", condition=Is("id__in", ("b", "c")))
        assert count == 2
        assert answers[0] == {**singly["b"], "above": singly["a"], "shelves": [singly["d"]]}
        assert answers[1] == {**singly["c"], "above": singly["a"], "shelves": []}

    @pytest.mark.parametrize("field", ["loud", "worth", "changed_at"])
    def test_in_trees_and_chains(self, field: str, shelves: list[ProductCategory]) -> None:
        singly = {shelf.pk: one(Shelf, shelf.pk, field) for shelf in shelves}
        down = one(Shelf, "a", f"shelves.{field}", widened=frozenset({"shelves"}))
        b, c = down["shelves"]
        assert (c, b["shelves"]) == ({**singly["c"], "shelves": []}, [{**singly["d"], "shelves": []}])
        up = one(Shelf, "d", f"above.{field}", widened=frozenset({"above"}))
        assert up["above"]["above"] == {**singly["a"], "above": None}


class TestByOneCallForAllRows:
    def test_it_is_called_once_with_the_columns_it_declares(self, shelves: list[ProductCategory]) -> None:
        context = {"region": "north"}
        with statements(1):
            answers = rows(Shelf, "size", context=context)
        assert answers == [
            {"id": key, "size": size}
            for key, size in zip("abcd", ["Apples 0", "Bread 1", "Cheese 2", "Dates 0"], strict=True)
        ]
        (batch,) = batches
        assert batch.rows == [("Apples", 0), ("Bread", 1), ("Cheese", 2), ("Dates", 0)]
        assert (batch.actor, batch.context) == (SHOPPER, context)

    def test_once_for_each_relation_and_once_for_a_whole_tree(self, shelves: list[ProductCategory]) -> None:
        answer = one(Shelf, "a", "size,shelves.size,shelves.shelves.size")
        assert answer["shelves"][0]["shelves"] == [{"id": "d", "size": "Dates 0"}]
        assert [len(batch.rows) for batch in batches] == [1, 2, 1]
        batches.clear()
        tree = one(Shelf, "a", "shelves.size", widened=frozenset({"shelves"}))
        assert tree["shelves"][0]["shelves"][0]["size"] == "Dates 0"
        assert [len(batch.rows) for batch in batches] == [3]

    def test_a_parent_that_must_be_computed_is_computed(self, shelves: list[ProductCategory]) -> None:
        answers = rows(Shelf, "size,above.size")
        assert answers[3] == {"id": "d", "size": "Dates 0", "above": {"id": "b", "size": "Bread 1"}}

    def test_without_rows_and_without_the_field_it_is_not_called(self, shelves: list[ProductCategory]) -> None:
        assert rows(Shelf, "size", condition=Is("id", "nobody")) == []
        assert rows(Shelf, "id,shelves.id")
        assert one(Shelf, "c", "id,shelves.size")["shelves"] == []
        assert batches == []

    def test_it_learns_who_asks(self, shelves: list[ProductCategory]) -> None:
        customer = Actor("customer", "cus_1", ("sc_1",))
        rows(Shelf, "shelves.size", actor=customer)
        assert [batch.actor for batch in batches] == [customer]


def test_a_batch_function_that_answers_for_too_few_rows_is_a_mistake_of_ours(shelves: list[ProductCategory]) -> None:
    class Careless(ResourceSerializer):
        id = serializers.CharField()
        size = BatchField(serializers.CharField(), columns=("name",), load=lambda batch: ["one"])

        class Meta:
            model = ProductCategory

    with pytest.raises(ValueError, match="zip"):
        rows(Careless, "size")
