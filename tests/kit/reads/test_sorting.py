"""What `order` takes, and that a hidden row's place tells nothing."""

import pytest
from django.db.models.functions import Length
from rest_framework import serializers

from catalog.models import ProductCategory
from kit.domain.actor import ANONYMOUS
from kit.query.paging import Order
from kit.reads.declarations.computed import Batch, BatchField, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.sorting import SortKey, sortable
from tests.kit.reads.reads import rows
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db


def nothing(batch: Batch) -> list[None]:
    return [None for _ in batch.rows]


class Shelf(ResourceSerializer):
    id = serializers.CharField()
    label = serializers.CharField(source="name")
    length = SqlField(serializers.IntegerField(), expression=Length("name"))
    guess = BatchField(serializers.CharField(), columns=("id",), load=nothing)
    above = ToOne(lambda: Shelf, key="parent_category_id")
    below = ToMany(lambda: Shelf, key="parent_category_id")

    class Meta:
        model = ProductCategory


def ordered(name: str, *, descending: bool = False) -> str:
    return "".join(
        row["id"] for row in rows(Shelf, "id", actor=ANONYMOUS, order=Order(sortable(Shelf)[name], descending))
    )


def test_columns_and_expressions_sort_and_batches_and_lists_do_not() -> None:
    assert set(sortable(Shelf)) == {"id", "label", "length", "above.id", "above.label", "above.length"}
    assert sortable(Shelf)["label"] == SortKey("name")


def test_a_field_sorts_by_its_column_or_its_expression() -> None:
    for key, name in [("a", "Plum"), ("b", "Fig"), ("c", "Apple")]:
        category(key, name=name)
    assert (ordered("label"), ordered("length"), ordered("length", descending=True)) == ("cba", "bac", "cab")


def test_a_parent_that_the_caller_may_not_see_sorts_as_none() -> None:
    """The rows stay visible here against the tree's own rule, to show the gate of the relation alone."""
    for key, name, visible in [("p", "Apple", True), ("q", "Berry", False)]:
        category(key, name=name, is_visible=visible)
    category("c", name="child of the hidden", parent="q")
    category("d", name="child of the shown", parent="p")
    ProductCategory.objects.filter(pk="c").update(is_visible=True)
    assert ordered("above.label") == "dcp"
    assert ordered("above.length", descending=True) == "pcd"
