"""The shop file's tax regions."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from kit.values.timestamps import now
from shop.regions.default_region import ensure_default_region
from taxes.models import TaxRate, TaxRateRule, TaxRegion
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory, ProductTypeFactory
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate, tax_region
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

OF_PROVINCES = "Field 'is_combinable' is only for rates of provinces"
FOR_NOTHING = "A rate needs products, product types or shipping options, unless 'is_default' is true"
TWICE = "Two rates of Germany are for the product type 'Food': 'X' and 'Y'"
STANDARD = {"name": "Standard", "rate": 19, "is_default": True}


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    return ShopFiles(tmp_path)


def rates(country: str, province: str | None = None) -> dict[str, tuple[Any, ...]]:
    found = TaxRate.objects.not_deleted().filter(tax_region__country=country, tax_region__province=province)
    return {
        rate.name: (
            *(rate.rate, rate.is_default, rate.is_combinable, rate.code),
            {*rate.rules.values_list("reference_id", flat=True)},
        )
        for rate in found
    }


def test_regions_are_loaded_with_rates_for_goods(files: ShopFiles) -> None:
    mug, food, parcel = ProductFactory(handle="mug"), ProductTypeFactory(value="Food"), option(name="Parcel")
    reduced = {
        "name": "Reduced",
        "code": "red",
        "rate": 7.5,
        "products": ["mug"],
        "product_types": ["Food", food.pk],
        "shipping_options": ["Parcel"],
        "metadata": {"a": 1.5},
    }
    content = {
        "tax_regions": [
            {"country_code": "CA", "province": "Québec", "rates": [{**STANDARD, "is_combinable": True, "rate": 9.975}]},
            {"country_code": "de", "rates": [STANDARD, reduced], "metadata": {"b": 2}},
        ]
    }
    assert files.load(content) == ["tax_regions: 2 created, 0 updated, 0 unchanged"]
    assert rates("de") == {
        "Standard": (19, True, False, None, set()),
        "Reduced": (Decimal("7.5"), False, False, "red", {mug.pk, food.pk, parcel.pk}),
    }
    assert rates("ca", "ca-qc") == {"Standard": (Decimal("9.975"), True, True, None, set())}
    assert TaxRegion.objects.get(province="ca-qc").parent.country_id == "ca"
    assert TaxRegion.objects.get(country="de").metadata == {"b": 2}
    before = everything()
    assert files.load(content) == ["tax_regions: 0 created, 0 updated, 2 unchanged"]
    assert everything() == before


def test_a_list_of_rates_is_the_complete_one_and_what_is_left_out_stays(files: ShopFiles) -> None:
    food, books = ProductTypeFactory(value="Food"), ProductTypeFactory(value="Books")
    tax_rate("de", 19, name="Standard")
    tax_rate("de", 7, types=[food], name="Reduced", code="x")
    tax_rate("de", 5, types=[books], name="Books")
    assert files.load({"tax_regions": [{"country_code": "de", "metadata": {"a": 1}}]}) == [
        "tax_regions: 0 created, 1 updated, 0 unchanged"
    ]
    assert len(rates("de")) == 3
    wanted = [{"name": "Standard"}, {"name": "Reduced", "product_types": ["Food", "Books"]}]
    files.load({"tax_regions": [{"country_code": "de", "rates": wanted}]})
    assert rates("de") == {
        "Standard": (19, True, False, None, set()),
        "Reduced": (7, False, False, "x", {food.pk, books.pk}),
    }
    files.load({"tax_regions": [{"country_code": "de", "rates": []}]})
    assert rates("de") == {}


def test_a_rate_is_found_by_its_id_and_renamed(files: ShopFiles) -> None:
    rate = tax_rate("de", 19, name="Standard")
    files.load({"tax_regions": [{"id": rate.tax_region_id, "rates": [{"id": rate.pk, "name": "MwSt."}]}]})
    assert TaxRate.objects.get().name == "MwSt."


def test_the_default_changes_hands_in_one_file(files: ShopFiles) -> None:
    food = ProductTypeFactory(value="Food")
    tax_rate("de", 19, name="Standard")
    tax_rate("de", 7, types=[food], name="Reduced")
    wanted = [
        {"name": "Standard", "is_default": False, "product_types": ["Food"]},
        {"name": "Reduced", "is_default": True, "product_types": []},
    ]
    files.load({"tax_regions": [{"country_code": "de", "rates": wanted}]})
    assert [rates("de")[name][1] for name in ("Standard", "Reduced")] == [False, True]


@pytest.mark.parametrize(
    ("region", "problems"),
    [
        ({}, ["tax_regions[0].country_code: is required"]),
        ({"country_code": "zz"}, ["tax_regions[0].country_code: 'zz' is not an ISO 3166-1 country code"]),
        (
            {"country_code": "ca", "province": "Bavaria"},
            ["tax_regions[0].province: 'Bavaria' is not an ISO 3166-2 province of 'ca'"],
        ),
        ({"country_code": "fr", "id": "txreg_gone"}, ["tax_regions[0].id: belongs to a deleted row"]),
        ({"country_code": "de", "rates": [{}]}, ["tax_regions[0].rates[0].name: is required",
                                                 "tax_regions[0].rates[0].rate: is required"]),
        (
            {"country_code": "de", "rates": [{**STANDARD, "rate": 1000.5}]},
            ["tax_regions[0].rates[0].rate: expected a number from 0 to 1000"],
        ),
        (
            {"country_code": "de", "rates": [{**STANDARD, "is_combinable": True}]},
            [f"tax_regions[0].rates[0].is_combinable: {OF_PROVINCES}"],
        ),
        (
            {"country_code": "de", "rates": [{"name": "X", "rate": 1}]},
            [f"tax_regions[0].rates[0].is_default: {FOR_NOTHING}"],
        ),
        (
            {"country_code": "de", "rates": [STANDARD, {**STANDARD, "name": "B"}]},
            ["tax_regions[0].rates[1].is_default: Germany already has a default rate, 'Standard'"],
        ),
        (
            {"country_code": "de", "rates": [STANDARD, STANDARD]},
            ["tax_regions[0].rates[1]: already appears at tax_regions[0].rates[0]"],
        ),
        (
            {"country_code": "de", "rates": [{"name": "X", "rate": 1, "products": ["no"], "product_types": ["no"],
                                              "shipping_options": ["no"]}]},
            [
                "tax_regions[0].rates[0].products[0]: there is no product 'no'",
                "tax_regions[0].rates[0].product_types[0]: there is no product type 'no'",
                "tax_regions[0].rates[0].shipping_options[0]: there is no shipping option 'no'",
            ],
        ),
        (
            {"country_code": "de", "rates": [{"name": "X", "rate": 1, "product_types": ["Food"]},
                                             {"name": "Y", "rate": 2, "product_types": ["Food"]}]},
            [f"tax_regions[0].rates[1].product_types: {TWICE}"],
        ),
    ],
)  # fmt: skip
def test_a_problem_names_its_path(files: ShopFiles, region: dict[str, Any], problems: list[str]) -> None:
    ProductTypeFactory(value="Food")
    TaxRegion.objects.create(id="txreg_gone", country_id="fr", deleted_at=now())
    assert files.refused({"tax_regions": [region]}) == problems


def test_a_place_twice_in_a_file_is_refused(files: ShopFiles) -> None:
    once = {"country_code": "ca", "province": "qc"}
    assert files.refused({"tax_regions": [once, {**once, "province": "Quebec"}]}) == [
        "tax_regions[1]: 'ca-qc' already appears at tax_regions[0]"
    ]


def test_a_name_that_two_shipping_options_have_is_refused_and_their_ids_are_taken(files: ShopFiles) -> None:
    one, other = option(name="Parcel"), option(name="Parcel")
    rate = {"name": "Post", "rate": 0, "shipping_options": ["Parcel"]}
    assert files.refused({"tax_regions": [{"country_code": "de", "rates": [rate]}]}) == [
        "tax_regions[0].rates[0].shipping_options[0]: several shipping options are called 'Parcel': give the id of one"
    ]
    files.load({"tax_regions": [{"country_code": "de", "rates": [{**rate, "shipping_options": [one.pk]}]}]})
    assert rates("de")["Post"][-1] == {one.pk}
    [dumped] = files.dump()["tax_regions"]
    assert dumped["rates"][0]["shipping_options"] == [one.pk]
    type(other).objects.filter(pk=other.pk).update(name="Express")
    [dumped] = files.dump()["tax_regions"]
    assert dumped["rates"][0]["shipping_options"] == ["Parcel"]


def a_shop() -> None:
    """Two regions with defaults, an added rate, rates for goods, some of which are gone, and a country by itself."""
    RegionFactory(name="America", countries=["ca", "us"])
    RegionFactory(name="Europe", countries=["de", "fr"])
    ensure_default_region()
    mug, food, gone, lost = (
        ProductFactory(handle="mug"),
        ProductTypeFactory(value="Food"),
        ProductFactory(),
        ProductFactory(),
    )
    parcel = option(name="Parcel")
    tax_rate("ca", 5, name="GST", code="gst")
    tax_rate("ca", 9.975, "ca-qc", name="QST", is_combinable=True, metadata={"a": 1})
    tax_rate("ca", 0, "ca-qc", name="QST", is_combinable=True, types=[food])
    tax_rate("ca", 13, "ca-on", name="HST")
    tax_rate("us", 8.875, "us-ny")
    tax_rate("de", 19, name="MwSt.")
    tax_rate("de", 7, name="ermäßigt", types=[food], products=[mug, gone], options=[parcel])
    tax_rate("de", 5, name="gone", products=[lost])
    tax_rate("jp", 10)
    tax_region("fr")
    tax_region("br")
    type(gone).objects.filter(pk__in=[gone.pk, lost.pk]).update(deleted_at=now())


def test_a_dump_changes_nothing_where_it_comes_from(files: ShopFiles) -> None:
    a_shop()
    before, dumped = everything(), files.dump()
    assert [region["tax_rates"] for region in dumped["regions"]] == [
        [
            {"country_code": "ca", "province": None, "rate": 5},
            {"country_code": "ca", "province": "ca-on", "rate": 13},
            {"country_code": "us", "province": "us-ny", "rate": 8.875},
        ],
        [{"country_code": "de", "province": None, "rate": 19}],
    ]
    assert files.load(dumped)[-1]
    assert everything() == before
    assert files.load({"tax_regions": dumped["tax_regions"]}) == ["tax_regions: 0 created, 0 updated, 9 unchanged"]
    assert files.load({"regions": dumped["regions"]}) == ["regions: 0 created, 0 updated, 2 unchanged"]
    assert everything() == before


@pytest.mark.parametrize("only", [(), ("tax_regions",)])
def test_a_dump_brings_everything_back_with_its_ids(files: ShopFiles, only: tuple[str, ...]) -> None:
    a_shop()
    dumped = files.dump()
    for table in (TaxRateRule, TaxRate, TaxRegion):
        table.objects.all().delete()
    lines = files.load(dumped, only=only)
    assert "tax_regions: 9 created, 0 updated, 0 unchanged" in lines
    assert files.dump() == dumped
    assert not TaxRate.objects.filter(name="Standard rate").exists()


def test_the_older_key_alone_is_loaded_as_before(files: ShopFiles) -> None:
    a_shop()
    dumped = files.dump()
    for table in (TaxRateRule, TaxRate, TaxRegion):
        table.objects.all().delete()
    files.load({"regions": dumped["regions"]})
    assert rates("ca") == {"Standard rate": (5, True, False, None, set())}
    assert rates("ca", "ca-on") == {"Standard rate": (13, True, False, None, set())}
    assert rates("de") == {"Standard rate": (19, True, False, None, set())}


def test_a_new_rate_of_the_older_key_is_taken_over_by_the_newer_one(files: ShopFiles) -> None:
    content = {
        "regions": [
            {
                "name": "Europe",
                "currency_code": "eur",
                "countries": ["de"],
                "tax_rates": [{"country_code": "de", "rate": 19}],
            }
        ],
        "tax_regions": [{"country_code": "de", "rates": [STANDARD]}],
    }
    files.load(content)
    assert rates("de") == {"Standard": (19, True, False, None, set())}
    before = everything()
    files.load(content)
    assert everything() == before
