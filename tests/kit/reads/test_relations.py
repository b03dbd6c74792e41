"""What hangs below a row: one statement a relation, the right rows in the right places."""

from typing import Any, ClassVar

import pytest

from apikeys.models import ApiKey
from kit.errors import InvalidData
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.reads.sql import statements as projection_statements
from kit.values.timestamps import now
from tests.factories.actors import staff_actor
from tests.factories.apikeys import publishable_key
from tests.factories.shop import SalesChannelFactory
from tests.kit.reads.reads import one, page, rows, statements
from tests.kit.reads.resources import categories, category, channels_and_keys

pytestmark = pytest.mark.django_db

STAFF = staff_actor("apikeys.view_apikey")
Category = categories()
Channel, Key = channels_and_keys()


@pytest.fixture
def tree() -> None:
    """The roots a and b, and a(a2 a1(a12 a11)) by rank."""
    for key, parent, rank in [
        ("a", None, 0),
        ("b", None, 1),
        ("a1", "a", 1),
        ("a2", "a", 0),
        ("a11", "a1", 1),
        ("a12", "a1", 0),
    ]:
        category(key, parent=parent, rank=rank)


@pytest.mark.usefixtures("tree")
class TestToOneAndToMany:
    def test_each_row_has_its_parent_and_its_children_in_their_order(self) -> None:
        with statements(3):
            answers = rows(Category, "id,parent.rank,children.id")
        for answer in answers:
            del (answer["parent"] or {"rank": None})["rank"]
        assert answers == [
            {"id": "a", "parent": None, "children": [{"id": "a2"}, {"id": "a1"}]},
            {"id": "a1", "parent": {"id": "a"}, "children": [{"id": "a12"}, {"id": "a11"}]},
            {"id": "a11", "parent": {"id": "a1"}, "children": []},
            {"id": "a12", "parent": {"id": "a1"}, "children": []},
            {"id": "a2", "parent": {"id": "a"}, "children": []},
            {"id": "b", "parent": None, "children": []},
        ]

    def test_rows_of_equal_rank_stand_in_the_order_of_their_ids(self) -> None:
        category("a0", parent="a", rank=0)
        assert [child["id"] for child in one(Category, "a", "children.id")["children"]] == ["a0", "a2", "a1"]

    A11: ClassVar = {"id": "a11", "children": []}

    @pytest.mark.parametrize(
        ("fields", "expected", "count"),
        [
            ("name", {"id": "a1", "name": "a1"}, 1),
            ("parent.name", {"id": "a1", "parent": {"id": "a", "name": "a"}}, 2),
            ("parent", {"id": "a1", "parent": {"id": "a", "name": "a"}}, 2),
            ("parent.parent.id", {"id": "a1", "parent": {"id": "a", "parent": None}}, 2),
            ("parent.children.id", {"id": "a1", "parent": {"id": "a", "children": [{"id": "a2"}, {"id": "a1"}]}}, 3),
            ("children.children.id", {"id": "a1", "children": [{"id": "a12", "children": []}, A11]}, 3),
        ],
    )  # fmt: skip
    def test_relations_of_relations(self, fields: str, expected: dict[str, Any], count: int) -> None:
        with statements(count):
            answer = one(Category, "a1", fields)
        assert answer == expected

    @pytest.mark.parametrize(
        ("fields", "below"),
        [
            ("children.parent", {"id": "a11", "parent": {"id": "a1"}}),
            ("children.parent.name", {"id": "a11", "parent": {"id": "a1"}}),
            ("children.parent.parent.name", {"id": "a11", "parent": {"id": "a1"}}),
            ("*children,*children.parent", {"id": "a11", "name": "a11", "parent": {"id": "a1"}}),
        ],
    )
    def test_a_relation_that_leads_back_answers_the_id_alone_and_costs_nothing(self, fields: str, below: Any) -> None:
        with statements(2):
            answer = one(Category, "a1", f"id,{fields}")
        assert answer["children"][1] == below

    def test_one_that_leads_back_two_levels_down(self) -> None:
        with statements(3):
            answer = one(Category, "a", "children.children.parent")
        assert answer["children"][1]["children"][0] == {"id": "a12", "parent": {"id": "a1"}}

    def test_a_parent_on_the_page_is_not_read_again(self) -> None:
        with statements(2):  # the page, and the children
            answers = rows(Category, "id,name,*parent,*children")
        assert answers[1]["parent"] == {"id": "a", "name": "a"}
        with statements(3):  # the parents are on no page of their own
            answers = rows(Category, "id,name,*parent,*children", condition=Is("id__in", ("a11", "a2")))
        assert [answer["parent"]["id"] for answer in answers] == ["a1", "a"]
        with statements(2):  # one is, one is not
            answers = rows(Category, "id,name,*parent", condition=Is("id__in", ("a1", "a2", "a11")))
        assert [answer["parent"]["id"] for answer in answers] == ["a", "a1", "a"]

    def test_a_parent_is_read_where_the_page_knows_less_of_it(self) -> None:
        with statements(2):
            answers = rows(Category, "id,parent.rank")
        assert [answer["parent"] for answer in answers[1:3]] == [{"id": "a", "rank": 0}, {"id": "a1", "rank": 1}]

    def test_no_rows_no_statements(self) -> None:
        with statements(1):
            assert rows(Category, "id,*parent,*children", condition=Is("id", "nobody")) == []
        with statements(1):
            assert one(Category, "nobody", "id,name,*parent,*children") is None
        with statements(2):  # nobody has a parent: nothing to ask for
            rows(Category, "id,parent.rank,*children", condition=Is("id__in", ("a", "b")))

    @pytest.mark.parametrize("amount", [1, 10, 100])
    def test_statements_do_not_grow_with_rows(self, amount: int) -> None:
        for number in range(amount):
            category(f"c{number}", parent="b", rank=number)
        with statements(4):
            answers = rows(Category, "id,*children.children,*parent.children", condition=Is("parent_category_id", "b"))
        assert len(answers) == amount


class TestDeletedAndHiddenRows:
    @pytest.fixture(autouse=True)
    def family(self) -> None:
        category("a")
        category("shown", parent="a", rank=0)
        category("hidden", parent="a", rank=1, is_visible=False)
        category("deleted", parent="a", rank=2, deleted_at=now(), in_deleted_branch=True)
        category("both", parent="a", rank=3, is_visible=False, deleted_at=now(), in_deleted_branch=True)
        category("orphan", parent="deleted", in_deleted_branch=True)

    def test_they_are_in_no_list(self) -> None:
        assert one(Category, "a", "children.id") == {"id": "a", "children": [{"id": "shown"}]}

    def test_deleted_ones_join_where_asked_for_and_hidden_ones_never(self) -> None:
        answer = one(Category, "a", "children.id,children.children.id", with_deleted=True)
        assert answer["children"] == [
            {"id": "shown", "children": []},
            {"id": "deleted", "children": [{"id": "orphan"}]},
        ]

    def test_a_hidden_parent_is_null(self) -> None:
        category("loose", parent="hidden")
        assert one(Category, "loose", "parent.rank") == {"id": "loose", "parent": None}
        assert one(Category, "loose", "parent") == {"id": "loose", "parent": None}

    def test_staff_see_hidden_ones(self) -> None:
        staff = staff_actor("catalog.view_productcategory")
        assert [child["id"] for child in one(Category, "a", "children.id", actor=staff)["children"]] == [
            "shown",
            "hidden",
        ]


class TestManyToMany:
    def test_shared_rows_stand_under_each_of_their_owners(self) -> None:
        north, south, east = (SalesChannelFactory(name=name) for name in ("North", "South", "East"))
        publishable_key(north, south, title="Two")
        publishable_key(north, title="One")
        publishable_key(title="None")
        with statements(2):
            answers = rows(Key, "title,sales_channels.name", actor=STAFF)
        assert {key["title"]: [channel["name"] for channel in key["sales_channels"]] for key in answers} == {
            "Two": ["North", "South"],
            "One": ["North"],
            "None": [],
        }
        with statements(2):
            channels = rows(
                Channel, "name,api_keys.title", actor=STAFF, condition=Is("id__in", (north.pk, south.pk, east.pk))
            )
        assert [[key["title"] for key in channel["api_keys"]] for channel in channels] == [["One", "Two"], ["Two"], []]

    def test_there_and_back(self) -> None:
        north, south = SalesChannelFactory(name="North"), SalesChannelFactory(name="South")
        for title in ("One", "Two"):
            publishable_key(north, south, title=title)
        with statements(3):
            (one_key, _) = rows(Key, "sales_channels.api_keys.title", actor=STAFF)
        assert [[key["title"] for key in channel["api_keys"]] for channel in one_key["sales_channels"]] == [
            ["One", "Two"]
        ] * 2

    def test_a_deleted_row_stands_under_nobody(self) -> None:
        north, south = SalesChannelFactory(name="North"), SalesChannelFactory(name="South")
        publishable_key(north, south)
        north.deleted_at = now()
        north.save()
        (key,) = rows(Key, "sales_channels.name", actor=STAFF)
        assert [channel["name"] for channel in key["sales_channels"]] == ["South"]
        (key,) = rows(Key, "sales_channels.name", actor=STAFF, with_deleted=True)
        assert [channel["name"] for channel in key["sales_channels"]] == ["North", "South"]

    def test_who_may_see_no_keys_sees_none_through_channels(self) -> None:
        north = SalesChannelFactory(name="North")
        publishable_key(north)
        assert ApiKey.objects.count() == 1
        (channel,) = rows(Channel, "api_keys.title", actor=staff_actor(), condition=Is("id", north.pk))
        assert channel["api_keys"] == []


@pytest.mark.usefixtures("tree")
class TestTooManyRelatedRows:
    @pytest.mark.parametrize(
        ("fields", "brought"),
        [("children.id", 4), ("parent.rank", 4), ("parent.rank,children.id", 8), ("children.children.id", 6)],
    )
    def test_an_answer_brings_so_many_related_rows_and_no_more(self, fields: str, brought: int, settings: Any) -> None:
        settings.MAX_RELATED_ROWS = brought
        rows(Category, fields)
        settings.MAX_RELATED_ROWS = brought - 1
        with pytest.raises(InvalidData) as refusal:
            rows(Category, fields)
        relation = fields.split(".")[-2].removeprefix("rank,")
        assert refusal.value.message == (
            f"The relation '{relation}' returns more than {brought - 1} related rows; "
            "request fewer rows or fewer relations"
        )

    def test_rows_that_several_share_count_for_each_that_writes_them(self, settings: Any) -> None:
        for number in range(20):
            category(f"b{number:02}", parent="b", rank=number)
        settings.MAX_RELATED_ROWS = 200
        with pytest.raises(InvalidData, match="The relation 'children' returns more than 200 related rows"):
            rows(Category, "parent.children.id", condition=Is("parent_category_id", "b"))

    def test_no_more_rows_are_fetched_than_it_takes_to_know(
        self, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.MAX_RELATED_ROWS = 1
        fetched = []
        fetch = projection_statements.fetch

        def spy(text: str, parameters: Any) -> Any:
            fetched.append(fetch(text, parameters))
            return fetched[-1]

        monkeypatch.setattr(projection_statements, "fetch", spy)
        with pytest.raises(InvalidData):
            rows(Category, "children.children.id")
        assert [len(page) for page in fetched] == [6, 2]

    def test_the_page_itself_does_not_count(self, settings: Any) -> None:
        settings.MAX_RELATED_ROWS = 0
        assert len(rows(Category, "id")) == 6


@pytest.mark.usefixtures("tree")
class TestPagesAndCounts:
    @pytest.mark.parametrize(
        ("asked", "ids", "count"),
        [
            (Page(2), ["a", "a1"], 1),
            (Page(2, 4), ["a2", "b"], 1),
            (Page(10, 5), ["b"], 1),
            (Page(2, 6), [], 2),
            (Page(2, 2**63 - 1), [], 2),
            (Page(0), [], 1),
            (Page(0, 3), [], 1),
        ],
    )
    def test_the_count_is_of_all_pages(self, asked: Page, ids: list[str], count: int) -> None:
        with statements(count):
            answers, total = page(Category, "id", page=asked)
        assert ([answer["id"] for answer in answers], total) == (ids, 6)

    def test_an_empty_first_page_is_counted_by_itself(self) -> None:
        with statements(1):
            assert page(Category, "id", condition=Is("id", "nobody")) == ([], 0)
