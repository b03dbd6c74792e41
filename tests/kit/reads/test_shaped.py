"""Selections of GraphQL: answers come with the response's own keys, in its order, at every level."""

import json
from typing import Any

import orjson
import pytest
from rest_framework import serializers

from catalog.models import ProductCategory
from kit.query.paging import Page
from kit.query.selection import Constant, Selection
from kit.reads.declarations.computed import BatchField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.plans.plan import compile_plan
from kit.reads.reading import ListQuery, read_page
from tests.kit.reads.reads import SHOPPER, statements
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db


class Node(ResourceSerializer):
    id = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()
    loud = BatchField(
        serializers.CharField(), columns=("name",), load=lambda batch: [name.upper() for (name,) in batch.rows]
    )
    parent = ToOne(lambda: Node, key="parent_category_id")
    children = ToMany(lambda: Node, key="parent_category_id", inverse="parent", order=("rank",))

    class Meta:
        model = ProductCategory


@pytest.fixture(autouse=True)
def tree() -> None:
    category("a", name="Apples")
    category("b", name="Bread", parent="a", rank=0)
    category("c", name="Cheese", parent="a", rank=1)


def answered(selection: Selection, resource: ResourceSerializerClass = Node) -> list[str]:
    """Each object to the letter, keys in their order."""
    listed = read_page(resource, ListQuery(selection, page=Page(10)), SHOPPER)
    return [json.dumps(each, separators=(",", ":")) for each in orjson.loads(orjson.dumps(listed.answers))]


def shaped(*keys: str | tuple[str, Selection], **names: str | Constant) -> Selection:
    """Keys in their order, those of relations with what is below; names behind other keys."""
    return Selection(
        scalars=tuple(key for key in keys if isinstance(key, str)),
        relations=tuple(key for key in keys if not isinstance(key, str)),
        names=tuple(names.items()),
        order=tuple(key if isinstance(key, str) else key[0] for key in keys),
    )


def test_fields_stand_under_the_keys_asked_for_in_their_order() -> None:
    assert answered(shaped("title", "id", "again", title="name", again="name")) == [
        '{"title":"Apples","id":"a","again":"Apples"}',
        '{"title":"Bread","id":"b","again":"Bread"}',
        '{"title":"Cheese","id":"c","again":"Cheese"}',
    ]


def test_the_id_is_not_added_and_constants_stand_in_every_object() -> None:
    below = shaped("__typename", __typename=Constant('Say "it\'s"'))
    assert answered(shaped("__typename", ("children", below), __typename=Constant("Node")))[0] == (
        '{"__typename":"Node","children":[{"__typename":"Say \\"it\'s\\""},{"__typename":"Say \\"it\'s\\""}]}'
    )


def test_relations_and_computed_values_keep_their_places() -> None:
    with statements(3):
        answers = answered(shaped("x", ("up", shaped("name")), "y", ("parent", shaped("id", "loud")), "name",
                                  x="loud", y="loud", up="parent"))  # fmt: skip
    assert answers == [
        '{"x":"APPLES","up":null,"y":"APPLES","parent":null,"name":"Apples"}',
        '{"x":"BREAD","up":{"name":"Apples"},"y":"BREAD","parent":{"id":"a","loud":"APPLES"},"name":"Bread"}',
        '{"x":"CHEESE","up":{"name":"Apples"},"y":"CHEESE","parent":{"id":"a","loud":"APPLES"},"name":"Cheese"}',
    ]


def test_one_relation_under_two_keys_with_different_fields() -> None:
    with statements(3):
        answers = answered(
            shaped(("one", shaped("id")), ("two", shaped("n", n="name")), one="children", two="children")
        )
    assert answers[0] == '{"one":[{"id":"b"},{"id":"c"}],"two":[{"n":"Bread"},{"n":"Cheese"}]}'


def test_the_way_back_is_an_id_for_as_long_as_nothing_else_is_asked_for() -> None:
    for keys, expected, count in [
        (shaped("id", "t", "i", t=Constant("Node"), i="id"), '{"id":"a","t":"Node","i":"a"}', 2),
        (shaped("name"), '{"name":"Apples"}', 3),
        (shaped("id", ("parent", shaped("id"))), '{"id":"a","parent":null}', 3 + 0),
    ]:
        with statements(count):
            answers = answered(shaped(("children", shaped(("parent", keys)))))
        assert json.loads(answers[0]) == {"children": [{"parent": json.loads(expected)}] * 2}


def test_a_key_can_be_any_text() -> None:
    odd: Any = "it's \"x\" {y} \\ '''"
    assert json.loads(answered(Selection((odd,), names=((odd, "id"),), order=(odd,)))[0]) == {odd: "a"}


def test_equal_selections_share_a_plan_and_others_do_not() -> None:
    plan = compile_plan(Node, shaped("a", a="name"))
    assert compile_plan(Node, shaped("a", a="name")) is plan
    assert compile_plan(Node, shaped("a", a="id")) is not plan
    assert compile_plan(Node, shaped("b", b="name")) is not plan
    compiled = compile_plan.cache_info().maxsize
    assert compiled is not None
    assert compiled <= 512
