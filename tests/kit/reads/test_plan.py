"""Plans: which columns are read for a selection, and where each stands."""

import pytest
from django.db import connection

from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from kit.reads.plans.levels import Level
from kit.reads.plans.plan import compile_plan
from tests.kit.reads.resources import categories, channels_and_keys


def plan(resource: ResourceSerializerClass, fields: str, *widened: str) -> Level:
    return compile_plan(resource, FieldSet(shape_of(resource)).parse(fields), frozenset(widened))


def columns(level: Level) -> list[str]:
    """The columns' names; SQLite's text casts by the column they cast."""
    return [column if isinstance(column, str) else column.source_expressions[0].name for column in level.columns]


@pytest.mark.parametrize(
    ("fields", "read"),
    [
        ("id", ["id"]),
        ("name", ["id", "name"]),
        ("updated_at,metadata", ["id", "metadata", "updated_at"]),
        ("parent.id", ["id", "parent_category_id"]),
        ("children.id", ["id"]),
        ("parent.id,children.id", ["id", "parent_category_id"]),
    ],
)
def test_what_is_asked_for_is_read_and_what_joins_the_relations(fields: str, read: list[str]) -> None:
    assert columns(plan(categories(), fields)) == read


def test_related_rows_bring_what_joins_and_sorts_them() -> None:
    parent, children = plan(categories(), "parent.name,children.name").joins
    assert columns(parent.level) == ["id", "name"]
    assert columns(children.level) == ["id", "name", "parent_category_id", "rank"]
    assert (children.near, children.far) == (0, 2)
    ((key, descending),) = children.sorting
    assert (key(("id", "name", "parent", 7)), descending) == ((7, "id"), False)


def test_a_widened_relation_brings_its_path_once_and_not_itself_again() -> None:
    level = plan(categories(), "children.children.name", "children")
    (children,) = level.joins
    assert columns(level) == ["id", "path"]
    assert children.path == 1
    assert children.level.joins == ()


def test_a_field_may_read_a_column_of_another_name() -> None:
    _, key = channels_and_keys()
    level = plan(key, "created_by")
    assert columns(level) == ["id", "created_by_id"]
    assert level.build(("apk_1", "user_1")) == {"id": "apk_1", "created_by": "user_1"}


def test_one_plan_serves_every_request_for_the_same_fields() -> None:
    resource = categories()
    assert plan(resource, "name,parent.id") is plan(resource, "parent.id,name")
    assert plan(resource, "name,parent.id") is not plan(resource, "name,parent.id", "parent")
    assert plan(categories(), "name,parent.id") is not plan(resource, "name,parent.id")


def test_timestamps_and_json_are_asked_for_as_text_where_the_driver_would_parse_them() -> None:
    cast = [not isinstance(column, str) for column in plan(categories(), "name,metadata,updated_at").columns]
    assert cast == ([False, False, True, True] if connection.vendor == "sqlite" else [False] * 4)


@pytest.mark.parametrize(
    ("fields", "at_hand"),
    [
        ("id,parent.id", True),
        ("id,name,*parent", True),
        ("id,parent.name", False),  # the page does not read the name
        ("id,name,rank,parent.rank", False),  # the rank stands elsewhere
        ("id,name,parent.parent.id", False),  # what hangs below a parent is not on the page
    ],
)
def test_rows_of_the_page_may_stand_as_parents_where_they_read_the_same(fields: str, at_hand: bool) -> None:
    (parent,) = plan(categories(), fields).joins
    assert parent.at_hand is at_hand
    assert not plan(categories(), fields, "parent").joins[0].at_hand
