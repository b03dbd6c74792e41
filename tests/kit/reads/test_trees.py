"""Relations that a flag widens: the whole chain upward, the whole tree downward, one statement each."""

from typing import Any

import pytest

from kit.errors import InvalidData
from kit.query.conditions import Is
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from kit.reads.plans.plan import compile_plan
from kit.reads.relatives import _topmost
from kit.values.timestamps import now
from tests.kit.reads.reads import one, rows, statements
from tests.kit.reads.resources import categories, category, channels_and_keys

pytestmark = pytest.mark.django_db

Category = categories()
UP, DOWN = {"widened": frozenset({"parent"})}, {"widened": frozenset({"children"})}
BOTH = {"widened": frozenset({"parent", "children"})}


def outline(answer: Any) -> str:
    """The tree below an answer in one line: `a(b c(d))`."""
    below = " ".join(outline(child) for child in answer["children"])
    return f"{answer['id']}({below})" if below else answer["id"]


def chain(answer: Any) -> str:
    """The chain above an answer: `c<b<a`."""
    return f"{answer['id']}<{chain(answer['parent'])}" if answer["parent"] else answer["id"]


@pytest.fixture
def tree() -> None:
    """By rank: a(a2 a1(a12 a11(a111))) and b(b1)."""
    for key, parent, rank in [
        ("a", None, 0), ("b", None, 1), ("a1", "a", 1), ("a2", "a", 0),
        ("a11", "a1", 1), ("a12", "a1", 0), ("a111", "a11", 0), ("b1", "b", 0),
    ]:  # fmt: skip
        category(key, parent=parent, rank=rank)


@pytest.mark.usefixtures("tree")
class TestDownward:
    def test_every_level_in_the_order_of_ranks_by_one_statement(self) -> None:
        with statements(2):
            answers = rows(Category, "children.id", **DOWN)
        assert [outline(answer) for answer in answers] == [
            "a(a2 a1(a12 a11(a111)))",
            "a1(a12 a11(a111))",
            "a11(a111)",
            "a111",
            "a12",
            "a2",
            "b(b1)",
            "b1",
        ]

    def test_leaves_have_an_empty_list(self) -> None:
        assert one(Category, "a11", "children.id", **DOWN) == {
            "id": "a11",
            "children": [{"id": "a111", "children": []}],
        }

    def test_the_fields_of_every_level_are_those_asked_for(self) -> None:
        answer = one(Category, "a1", "id,children.name,children.rank", **DOWN)
        (first, second) = answer["children"]
        assert first == {"id": "a12", "name": "a12", "rank": 0, "children": []}
        assert second["children"] == [{"id": "a111", "name": "a111", "rank": 0, "children": []}]

    def test_the_way_back_is_an_id_at_every_level(self) -> None:
        with statements(2):
            answer = one(Category, "a1", "children.parent", **DOWN)
        assert answer["children"][1] == {
            "id": "a11",
            "parent": {"id": "a1"},
            "children": [{"id": "a111", "parent": {"id": "a11"}, "children": []}],
        }

    def test_asking_for_levels_beside_the_flag_changes_nothing(self) -> None:
        assert rows(Category, "children.id,children.children.id", **DOWN) == rows(Category, "children.id", **DOWN)

    def test_without_the_field_the_flag_does_nothing(self) -> None:
        with statements(1):
            assert one(Category, "a", "id", **DOWN) == {"id": "a"}

    def test_rows_too_many_for_an_answer_are_refused(self, settings: Any) -> None:
        settings.MAX_RELATED_ROWS = 10
        rows(Category, "children.id", **DOWN)
        settings.MAX_RELATED_ROWS = 9
        with pytest.raises(InvalidData, match="The relation 'children' returns more than 9 related rows"):
            rows(Category, "children.id", **DOWN)


@pytest.mark.usefixtures("tree")
class TestUpward:
    def test_every_ancestor_by_one_statement(self) -> None:
        with statements(2):
            answers = rows(Category, "parent.id", **UP)
        assert [chain(answer) for answer in answers] == [
            "a", "a1<a", "a11<a1<a", "a111<a11<a1<a", "a12<a1<a", "a2<a", "b", "b1<b",
        ]  # fmt: skip

    def test_roots_have_null_and_ancestors_no_children(self) -> None:
        answer = one(Category, "a11", "parent.name", **UP)
        assert answer == {
            "id": "a11",
            "parent": {"id": "a1", "name": "a1", "parent": {"id": "a", "name": "a", "parent": None}},
        }

    def test_roots_alone_need_no_statement(self) -> None:
        with statements(1):
            rows(Category, "parent.id", condition=Is("id__in", ("a", "b")), **UP)

    def test_both_ways_at_once(self) -> None:
        with statements(3):
            answer = one(Category, "a1", "parent.id,children.id", **BOTH)
        assert (chain(answer), outline(answer)) == ("a1<a", "a1(a12 a11(a111))")

    def test_children_of_ancestors_are_their_own_children_alone(self) -> None:
        with statements(3):
            answer = one(Category, "a11", "parent.id,parent.children.id", **UP)
        assert [child["id"] for child in answer["parent"]["children"]] == ["a12", "a11"]
        assert [child["id"] for child in answer["parent"]["parent"]["children"]] == ["a2", "a1"]


class TestDeletedAndHiddenRows:
    @pytest.fixture(autouse=True)
    def family(self) -> None:
        category("a")
        category("gone", parent="a", rank=1, deleted_at=now(), in_deleted_branch=True)
        category("orphan", parent="gone", in_deleted_branch=True)
        category("hidden", parent="a", rank=0, is_visible=False)
        category("below", parent="hidden", is_visible=False)

    def test_trees_end_at_them(self) -> None:
        assert outline(one(Category, "a", "children.id", **DOWN)) == "a"

    def test_deleted_branches_join_where_asked_for(self) -> None:
        assert outline(one(Category, "a", "children.id", with_deleted=True, **DOWN)) == "a(gone(orphan))"
        assert chain(one(Category, "orphan", "parent.id", with_deleted=True, **UP)) == "orphan<gone<a"
        assert one(Category, "orphan", "parent.id", **UP) is None


def test_ids_that_sort_before_the_dot_do_not_split_a_branch() -> None:
    """'-' sorts before '.': between a branch and what is below it, other branches may stand."""
    for key, parent in [
        ("a", None),
        ("a-b", None),
        ("a b", None),
        ("a!", None),
        ("x", "a"),
        ("y", "x"),
        ("z", "y"),
        ("-", "a-b"),
        ("é", "a"),
    ]:
        category(key, parent=parent)
    answers = {answer["id"]: outline(answer) for answer in rows(Category, "children.id", **DOWN)}
    assert answers["a"] == "a(x(y(z)) é)"
    assert answers["a-b"] == "a-b(-)"
    assert answers["x"] == "x(y(z))"


@pytest.mark.parametrize(
    ("paths", "topmost"),
    [
        ([], []),
        (["a"], ["a"]),
        (["a.b", "a"], ["a"]),
        (["a.b", "a.c"], ["a.b", "a.c"]),
        (["a", "ab", "a.b", "ab.c"], ["a", "ab"]),
        (["a", "a-b", "a.c", "a-b.c", "a/"], ["a", "a-b", "a/"]),
        (["a.b.c.d", "a.b"], ["a.b"]),
    ],
)
def test_of_overlapping_branches_the_topmost_are_read(paths: list[str], topmost: list[str]) -> None:
    assert sorted(_topmost(paths)) == topmost


def test_the_deepest_tree_can_be_written_as_json() -> None:
    for level in range(33):
        category(f"c{level:02}", parent=f"c{level - 1:02}" if level else None, metadata={"a": [[[[[{"b": [1]}]]]]]})
    down = one(Category, "c00", "*children,children.metadata", **DOWN)
    assert outline(down).count("(") == 32
    assert chain(one(Category, "c32", "*parent,parent.metadata", **UP)).count("<") == 32


def test_a_relation_without_a_path_cannot_be_widened() -> None:
    channel, _ = channels_and_keys()
    with pytest.raises(AssertionError, match="api_keys declares no path"):
        compile_plan(channel, FieldSet(shape_of(channel)).parse("api_keys"), frozenset({"api_keys"}))
