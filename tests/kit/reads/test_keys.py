"""Tables whose primary key is not called id, ways from the other side, and lists in any order."""

import pytest
from django.db.models import Q
from rest_framework import serializers

from catalog.models import PriceSet, ProductCategory, ProductVariant
from kit.domain.actor import SYSTEM
from kit.query.conditions import Is
from kit.query.paging import Order, Page
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.sorting import SortKey, sortable
from shop.models import Country, Currency, Region
from tests.factories.products import VariantFactory
from tests.factories.shop import RegionFactory
from tests.kit.reads.reads import one, page, rows, statements
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db


class RegionShape(ResourceSerializer):
    id = serializers.CharField()
    name = serializers.CharField()
    currency = ToOne(lambda: CurrencyShape, key="currency_id")
    countries = ToMany(lambda: CountryShape, key="region_id", inverse="region")
    by_name = ToMany(lambda: CountryShape, key="region_id", order=("-name",))

    class Meta:
        model = Region


class CurrencyShape(ResourceSerializer):
    code = serializers.CharField()
    decimal_digits = serializers.IntegerField()
    regions = ToMany(lambda: RegionShape, key="currency_id", order=("name",))

    class Meta:
        model = Currency


class CountryShape(ResourceSerializer):
    iso_2 = serializers.CharField()
    name = serializers.CharField()
    region = ToOne(lambda: RegionShape, key="region_id")

    class Meta:
        model = Country


class TestKeysOfOtherNames:
    @pytest.fixture(autouse=True)
    def europe(self) -> None:
        RegionFactory(name="Europe", currency_id="eur", countries=["dk", "be", "at"])

    def test_they_join_and_order_lists(self) -> None:
        with statements(3):
            (region,) = rows(RegionShape, "name,countries.iso_2,currency.code", condition=Is("name", "Europe"))
        assert region == {
            "id": region["id"],
            "name": "Europe",
            "currency": {"code": "eur"},
            "countries": [{"iso_2": "at"}, {"iso_2": "be"}, {"iso_2": "dk"}],
        }

    def test_no_id_is_made_up(self) -> None:
        with statements(3):
            answer = one(CurrencyShape, "eur", "code,regions.by_name.name")
        (region,) = answer["regions"]
        assert [list(country) for country in region["by_name"]] == [["name"]] * 3
        assert [country["name"] for country in region["by_name"]] == ["DENMARK", "BELGIUM", "AUSTRIA"]
        assert one(CountryShape, "be", "iso_2") == {"iso_2": "be"}
        assert one(CountryShape, "xx", "iso_2") is None

    def test_the_way_back_names_its_row(self) -> None:
        (region,) = rows(RegionShape, "countries.region", condition=Is("name", "Europe"))
        assert region["countries"][0]["region"] == {"id": region["id"]}

    @pytest.mark.parametrize(
        ("name", "descending", "codes"),
        [
            ("code", False, ["chf", "eur"]),
            ("code", True, ["usd", "eur"]),
            ("decimal_digits", False, ["chf", "eur"]),
            (None, True, ["usd", "eur"]),
        ],
    )
    def test_lists_are_ordered_by_them(self, name: str | None, descending: bool, codes: list[str]) -> None:
        order = Order(name and sortable(CurrencyShape)[name], descending)
        few = Is("code__in", ("usd", "chf", "eur"))
        with statements(1) as captured:
            answers, count = page(CurrencyShape, "code", order=order, condition=few, page=Page(2))
        assert ([answer["code"] for answer in answers], count) == (codes, 3)
        assert captured.captured_queries[0]["sql"].partition("ORDER BY")[2].count('"code"') == 1


class TestFromTheOtherSide:
    def test_the_one_row_that_names_this_one(self) -> None:
        class VariantShape(ResourceSerializer):
            id = serializers.CharField()

            class Meta:
                model = ProductVariant

        class PriceSetShape(ResourceSerializer):
            id = serializers.CharField()
            variant = ToOne(lambda: VariantShape, key="id", far="price_set_id")

            class Meta:
                model = PriceSet

        first, second = VariantFactory(), VariantFactory()
        alone = PriceSet.objects.create()
        with statements(2):
            answers = rows(PriceSetShape, "variant.id", actor=SYSTEM)
        assert {answer["id"]: answer["variant"] for answer in answers} == {
            first.price_set_id: {"id": first.pk}, second.price_set_id: {"id": second.pk}, alone.pk: None,
        }  # fmt: skip
        by_variant = rows(PriceSetShape, "id", actor=SYSTEM, order=Order(sortable(PriceSetShape)["variant.id"], True))
        assert [answer["id"] for answer in by_variant] == [
            alone.pk, *(each.price_set_id for each in sorted((first, second), key=lambda each: each.pk, reverse=True)),
        ]  # fmt: skip

    def test_the_one_of_several_that_meets_a_condition(self) -> None:
        class CapitalShape(ResourceSerializer):
            iso_2 = serializers.CharField()

            class Meta:
                model = Country

        class PlaceShape(ResourceSerializer):
            id = serializers.CharField()
            shown = ToOne(lambda: CapitalShape, key="id", far="region_id", only=Q(iso_2="be"))

            class Meta:
                model = Region

        europe, asia = RegionFactory(countries=["dk", "be", "at"]), RegionFactory(countries=["jp"])
        descending = Order(sortable(PlaceShape)["shown.iso_2"], descending=True)
        answers = rows(PlaceShape, "shown.iso_2", actor=SYSTEM, order=descending)
        assert answers == [{"id": asia.pk, "shown": None}, {"id": europe.pk, "shown": {"iso_2": "be"}}]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ((), "abcde"),
        (("-rank",), "cabde"),
        (("rank",), "deabc"),
        (("name", "-rank"), "cbdae"),
        (("-name", "rank"), "eadbc"),
        (("deleted_at",), "edabc"),
        (("-deleted_at",), "abcde"),
        (("-deleted_at", "-rank", "name"), "cbade"),
    ],
)
def test_lists_descend_and_ascend_by_column(order: tuple[str, ...], expected: str) -> None:
    """Rows without a value stand last, or first where descending; ids break ties upward."""

    class Node(ResourceSerializer):
        id = serializers.CharField()
        children = ToMany(lambda: Node, key="parent_category_id", order=order)

        class Meta:
            model = ProductCategory

    category("top")
    early, late = "2026-01-02T00:00:00Z", "2026-01-02T00:00:00.120Z"
    for key, name, rank, deleted in [
        ("a", "y", 2, None), ("b", "x", 2, None), ("c", "x", 3, None), ("d", "x", 1, late), ("e", "y", 1, early),
    ]:  # fmt: skip
        category(key, name=name, rank=rank, deleted_at=deleted, parent="top")
    children = one(Node, "top", "children.id", with_deleted=True)["children"]
    assert "".join(child["id"] for child in children) == expected


def test_sort_keys_of_one_table_are_equal() -> None:
    assert sortable(CurrencyShape)["code"] == SortKey("code")
