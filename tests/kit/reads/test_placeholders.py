"""Statements compiled once and used for every request of their shape: never with another request's values."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q

from kit.domain.actor import SYSTEM, Actor
from kit.query.conditions import Either, Every, Is, Words
from kit.query.paging import Order
from kit.reads import reading
from kit.reads.declarations.sorting import SortKey
from kit.reads.ranked_orders import ranked_order
from kit.reads.sql.placeholders import ActorShape, NoPlaceholder, OfType, Placeholders, Slot, actor_shape, split
from shop.models import SalesChannel, SalesChannelQuerySet
from tests.factories.actors import staff_actor
from tests.factories.apikeys import publishable_key
from tests.factories.shop import SalesChannelFactory
from tests.kit.reads.reads import rows
from tests.kit.reads.resources import categories, category, channels_and_keys

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_condition_is_split_into_its_shape_and_its_values() -> None:
    condition = Every(
        (Is("a", "x"), Either((Is("b__in", ("y", "z")), Is("c__isnull", True), Is("d", MOMENT, negated=True))))
    )
    shape, values = split(condition)
    assert values == ["x", "y", "z", MOMENT]
    assert shape == Every(
        (
            Is("a", OfType(str)),
            Either((Is("b__in", (OfType(str), OfType(str))), Is("c__isnull", True), Is("d", OfType(datetime), True))),
        )
    )


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (Is("a", "x"), Is("a", "y"), True),
        (Is("a", "x"), Is("b", "x"), False),
        (Is("a", "x"), Is("a", "x", negated=True), False),
        (Is("a", "x"), Is("a", MOMENT), False),
        (Is("a", True), Is("a", False), False),
        (Is("a", None), Is("a", "x"), False),
        (Is("a", ("x", "y")), Is("a", ("v", "w")), True),
        (Is("a", ("x", "y")), Is("a", ("x",)), False),
        (Is("a", ("x",)), Is("a", "x"), False),
        (Every((Is("a", "x"),)), Either((Is("a", "x"),)), False),
    ],
)
def test_requests_share_a_shape_when_only_their_values_differ(one: Any, other: Any, alike: bool) -> None:
    assert (split(one)[0] == split(other)[0]) is alike


class TestFindingMarkersAgain:
    def marked(self) -> tuple[Placeholders, str, datetime]:
        placeholders = Placeholders()
        return placeholders, placeholders.value(str, 0), placeholders.value(datetime, 1)

    def test_they_become_slots_and_other_parameters_stay(self) -> None:
        placeholders, text, moment = self.marked()
        assert placeholders.template([5, text, None, moment, ["a"]], required=range(2)) == (
            5,
            Slot(0),
            None,
            Slot(1),
            ["a"],
        )

    def test_each_must_be_found_as_often_as_it_was_given(self) -> None:
        placeholders, text, moment = self.marked()
        assert placeholders.template([text, moment, moment, text], required=range(2), times=2)
        for parameters in ([], [text], [text, text, moment], [text, moment]):
            with pytest.raises(NoPlaceholder):
                placeholders.template(parameters, required=range(2), times=2)

    @pytest.mark.parametrize(
        "change", [str.upper, str.lower, str.title, "%{}%".format, '"{}"'.format, lambda text: text + " "]
    )
    def test_a_changed_one_is_noticed_even_where_none_is_demanded(self, change: Callable[[str], str]) -> None:
        placeholders, text, _ = self.marked()
        with pytest.raises(NoPlaceholder):
            placeholders.template([change(text)], required=range(0))

    @pytest.mark.parametrize("type", [int, float, bytes, bool, dict])
    def test_other_types_have_no_markers(self, type: type) -> None:
        with pytest.raises(NoPlaceholder):
            Placeholders().value(type, 0)

    def test_holes_are_filled_in_the_order_of_their_values(self) -> None:
        placeholders = Placeholders()
        shape, _ = split(Every((Is("a", "x"), Is("b__in", ("y", "z")))))
        condition = placeholders.condition(shape, count(3))
        _, markers = split(condition)
        assert placeholders.template(markers, required=range(3, 6)) == (Slot(3), Slot(4), Slot(5))


def test_what_decides_an_actors_rows_beside_its_values() -> None:
    assert actor_shape(Actor("anonymous", sales_channel_ids=("a", "b"))) == ActorShape("anonymous", False, 2)
    assert actor_shape(Actor("customer", "cus_1", ("a",))) == actor_shape(Actor("customer", "cus_2", ("b",)))
    assert actor_shape(Actor("customer")) != actor_shape(Actor("customer", "cus_1"))
    assert actor_shape(staff_actor(id="user_1")) == actor_shape(staff_actor(id="user_2"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The conditions for which a page's statement was compiled."""
    seen: list[Any] = []
    compile_page = reading.compiled

    def spy(level: Any, actor: Any, with_deleted: Any, condition: Any, order: Any, *, part: Any) -> Any:
        seen.append(condition)
        return compile_page(level, actor, with_deleted, condition, order, part=part)

    monkeypatch.setattr(reading, "compiled", spy)
    return seen


@pytest.mark.django_db
class TestKeptPages:
    @pytest.fixture(autouse=True)
    def tree(self) -> None:
        for key, name in [("a", "Apple"), ("b", "Bread"), ("c", "Cheese")]:
            category(key, name=name, created_at=MOMENT + timedelta(days=ord(key)))

    def names(self, resource: Any, condition: Any, **query: Any) -> list[str]:
        return [row["name"] for row in rows(resource, "name", condition=condition, **query)]

    def test_one_text_serves_other_values(self, compiled: list[Any]) -> None:
        resource = categories()
        assert self.names(resource, Is("name", "Bread")) == ["Bread"]
        assert self.names(resource, Is("name", "Cheese")) == ["Cheese"]
        assert self.names(resource, Is("name", "bread")) == []
        assert self.names(resource, Is("name", "%")) == []
        assert len(compiled) == 1

    def test_lists_of_one_length_share_a_text_and_another_length_has_its_own(self, compiled: list[Any]) -> None:
        resource = categories()
        assert self.names(resource, Is("id__in", ("a", "b"))) == ["Apple", "Bread"]
        assert self.names(resource, Is("id__in", ("c", "x"))) == ["Cheese"]
        assert len(compiled) == 1
        assert self.names(resource, Is("id__in", ("a", "b", "c"))) == ["Apple", "Bread", "Cheese"]
        assert len(compiled) == 2

    def test_long_lists_are_not_kept(self, compiled: list[Any]) -> None:
        resource = categories()
        kept_before = reading._kept_statement.cache_info().currsize
        for length in range(reading.MOST_KEPT_VALUES + 1, reading.MOST_KEPT_VALUES + 5):
            assert self.names(resource, Is("id__in", ("c", *(f"x{number}" for number in range(length - 1))))) == [
                "Cheese"
            ]
        assert len(compiled) == 4
        assert reading._kept_statement.cache_info().currsize == kept_before

    def test_searches_by_relevance_share_a_text(self, compiled: list[Any]) -> None:
        resource = categories()
        for word, names in [("brea", ["Bread"]), ("che", ["Cheese"]), ("50%", [])]:
            condition = Words(("name",), (word,))
            assert self.names(resource, condition, order=ranked_order(Order(), condition)) == names
        assert len(compiled) == 1

    def test_words_share_a_text_and_nothing_in_them_is_a_pattern(self, compiled: list[Any]) -> None:
        resource = categories()
        category("p", name="50%_off\\it's")
        for word, names in [
            ("BREA", ["Bread"]),
            ("hees", ["Cheese"]),
            ("50%", ["50%_off\\it's"]),
            ("%_o", ["50%_off\\it's"]),
            ("f\\i", ["50%_off\\it's"]),
            ("'", ["50%_off\\it's"]),
            ("_", ["50%_off\\it's"]),
            ("%", ["50%_off\\it's"]),
            ("a%e", []),
            ("brea_", []),
        ]:
            assert self.names(resource, Is("name__icontains", word)) == names, word
        assert len(compiled) == 1

    def test_a_lookup_that_changes_its_value_is_compiled_again(self, compiled: list[Any]) -> None:
        resource = categories()
        assert self.names(resource, Is("name__startswith", "Brea")) == ["Bread"]
        assert self.names(resource, Is("name__startswith", "Chee")) == ["Cheese"]
        assert self.names(resource, Is("name__startswith", "%")) == []
        values = [condition.value for condition in compiled]
        assert [value for value in values if value in ("Brea", "Chee", "%")] == ["Brea", "Chee", "%"]

    def test_dates_are_compared_right_whether_the_database_takes_them_as_they_are_or_as_text(
        self, compiled: list[Any]
    ) -> None:
        resource = categories()
        for day in "abc":
            moment = MOMENT + timedelta(days=ord(day))
            assert [row["id"] for row in rows(resource, "id", condition=Is("created_at", moment))] == [day]
        assert len(compiled) == (1 if connection.vendor == "postgresql" else 4)

    def test_order_deletion_and_negation_are_part_of_the_shape(self) -> None:
        resource = categories()
        category("d", name="Dates", deleted_at=MOMENT, in_deleted_branch=True)
        assert self.names(resource, Is("name", "Bread", negated=True)) == ["Apple", "Cheese"]
        assert self.names(resource, Is("name", "Bread", negated=True), with_deleted=True) == [
            "Apple",
            "Cheese",
            "Dates",
        ]
        assert self.names(resource, Is("name", "Bread")) == ["Bread"]
        by_name = reading.Order(SortKey("name"), descending=True)
        assert self.names(resource, Is("name", "Bread", negated=True), order=by_name) == ["Cheese", "Apple"]


@pytest.mark.django_db
class TestVisibility:
    """Two callers of one shape share a statement's text and never its rows."""

    @pytest.fixture
    def shops(self) -> list[SalesChannel]:
        return [SalesChannelFactory(name=name) for name in ("North", "South", "East")]

    def names(self, resource: Any, actor: Actor) -> list[str]:
        return [row["name"] for row in rows(resource, "name", actor=actor)]

    @staticmethod
    def caller(*channels: SalesChannel, id: str | None = None) -> Actor:
        return Actor("customer" if id else "anonymous", id, tuple(channel.pk for channel in channels))

    def test_pages_never_mix(self, shops: list[SalesChannel], compiled: list[Any]) -> None:
        resource, _ = channels_and_keys()
        for shop in shops * 2:
            assert self.names(resource, self.caller(shop)) == [shop.name]
        assert len(compiled) == 1
        assert self.names(resource, self.caller(shops[0], shops[2])) == ["North", "East"]
        assert self.names(resource, self.caller()) == []

    def test_relations_never_mix(self, shops: list[SalesChannel], monkeypatch: pytest.MonkeyPatch) -> None:
        _, keys = channels_and_keys()
        monkeypatch.setattr(
            keys.Meta.model.objects._queryset_class, "visible_to", lambda rows, actor, with_deleted=False: rows
        )
        publishable_key(*shops)
        for shop in shops * 2:
            (key,) = rows(keys, "sales_channels.name", actor=self.caller(shop))
            assert [channel["name"] for channel in key["sales_channels"]] == [shop.name]

    def test_staff_see_all_and_nothing_of_theirs_is_kept_for_others(self, shops: list[SalesChannel]) -> None:
        resource, _ = channels_and_keys()
        assert len(self.names(resource, staff_actor())) == 4
        assert self.names(resource, self.caller(shops[1])) == ["South"]
        assert len(self.names(resource, staff_actor())) == 4

    RULES: dict[str, Callable[[Any, Actor], Any]] = {
        "changes the case of the id": lambda rows, actor: rows.filter(name=(actor.id or "").lower()),
        "capitalises the id": lambda rows, actor: rows.filter(name=(actor.id or "").upper()),
        "looks for a part": lambda rows, actor: rows.filter(name__startswith=actor.id or "?"),
        "writes it into a longer text": lambda rows, actor: rows.filter(name=f"<{actor.id}>"),
        "asks twice": lambda rows, actor: rows.filter(Q(name=actor.id) | Q(description=actor.id)),
        "asks not": lambda rows, actor: rows.exclude(name=actor.id),
        "has nothing for callers without an id": lambda rows, actor: (
            rows.filter(name=actor.id) if actor.id else rows.none()
        ),
        "goes by type": lambda rows, actor: (
            rows.filter(name="South") if actor.type == "customer" else rows.exclude(name="South")
        ),
    }

    @pytest.mark.parametrize("rule", RULES)
    def test_whatever_a_rule_makes_of_its_actor_each_caller_is_asked_for(
        self, rule: str, shops: list[SalesChannel], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        visible = self.RULES[rule]
        monkeypatch.setattr(
            SalesChannelQuerySet, "visible_to", lambda rows, actor, with_deleted=False: visible(rows, actor)
        )
        for name in ("north", "NORTH", "<North>"):
            SalesChannelFactory(name=name, description="South")
        resource, _ = channels_and_keys()
        for key in ("North", "South", None, "north", "No", "N%", "North"):
            actor = Actor("customer" if key else "anonymous", key)
            expected = visible(SalesChannel.objects.order_by("pk"), actor).values_list("name", flat=True)
            assert self.names(resource, actor) == list(expected), key

    def test_staff_with_other_permissions_see_other_rows_by_statements_of_their_own(
        self, shops: list[SalesChannel], monkeypatch: pytest.MonkeyPatch, compiled: list[Any]
    ) -> None:
        def rule(rows: Any, actor: Actor, *, with_deleted: bool = False) -> Any:
            if actor.may("test.view_all"):
                return rows
            return rows.filter(name="South" if actor.may("test.view_south") else "Nobody")

        monkeypatch.setattr(SalesChannelQuerySet, "visible_to", rule)
        resource, _ = channels_and_keys()
        all_rows = sorted(SalesChannel.objects.values_list("name", flat=True))
        shown = {(): [], ("view_south",): ["South"], ("view_all",): all_rows, ("view_all", "view_south"): all_rows}

        def read_by_all() -> None:
            for held, expected in shown.items():
                actor = staff_actor(*(f"test.{permission}" for permission in held))
                assert sorted(self.names(resource, actor)) == expected, held
                by_system = self.names(resource, SYSTEM)
                assert sorted(by_system) == all_rows

        read_by_all()
        read_by_all()  # by now it is known what the rule asks for
        compiled.clear()
        read_by_all()
        assert compiled == []


class TestMoments:
    """A rule that asks the clock has to ask it for each request."""

    @pytest.mark.parametrize("moment", [datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01 00:00:00", "2026-01-01"])
    def test_a_moment_among_the_parameters_forbids_to_keep_the_text(self, moment: Any) -> None:
        with pytest.raises(NoPlaceholder):
            Placeholders().template(["x", moment], required=range(0))
