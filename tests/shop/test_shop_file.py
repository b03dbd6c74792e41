"""The shop file's currencies, regions, stock locations, shipping profiles, providers and the store's default region."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from commerce.operations.management.commands.demo import SHOP as DEMO
from shop.models import (
    Country,
    Currency,
    FulfillmentProvider,
    PaymentProvider,
    Region,
    SalesChannel,
    ShippingProfile,
    StockLocation,
    StockLocationAddress,
    Store,
)
from taxes.models import TaxRate, TaxRegion
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

AMERICAS = {
    "name": "Americas",
    "currency_code": "USD",
    "countries": ["US", "ca"],
    "tax_rate": 1.5,
    "tax_rates": [
        {"country_code": "us", "province": "NY", "rate": 8.875},
        {"country_code": "US", "rate": 5},
        {"country_code": "ca", "province": "Ontario", "rate": 13},
    ],
    "is_tax_inclusive": True,
    "payment_providers": ["pp_system_default"],
    "metadata": {"a": 1.5},
}
WARNING = (
    "The region 'Americas' has no price that its `is_tax_inclusive` could apply to: its prices are as usd states them."
)
EUROPE = {"name": "Europe", "currency_code": "eur", "countries": ["de"]}
WAREHOUSE = {
    "name": "Warehouse",
    "address": {
        "address_1": "Dock 4",
        "city": "Austin",
        "country_code": "US",
        "province": "tx",
        "postal_code": "78701",
    },
    "sales_channels": ["Default Sales Channel"],
    "metadata": None,
}
SHOP = {
    "regions": [AMERICAS, EUROPE],
    "stores": [{"name": "Store", "default_region": "Europe"}],
    "stock_locations": [WAREHOUSE, {"name": "Attic"}],
    "shipping_profiles": [{"name": "Default", "type": "default"}, {"name": "Letters", "metadata": {"flat": True}}],
    "fulfillment_providers": [{"id": "pigeons", "is_enabled": False}, {"id": "manual_manual"}],
}


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    return ShopFiles(tmp_path)


def region(**changes: Any) -> dict[str, Any]:
    return {"regions": [{**EUROPE, **changes}]}


def countries() -> dict[str, str]:
    """The name of its region, of each country that has one."""
    return dict(Country.objects.exclude(region=None).values_list("pk", "region__name"))


def default_region() -> str | None:
    store = Store.objects.get()
    return store.default_region and store.default_region.name


class TestLoad:
    def test_all_that_the_file_says_is_there(self, files):
        assert files.load(SHOP) == [
            "regions: 2 created, 0 updated, 0 unchanged",
            "stores: 0 created, 1 updated, 0 unchanged",
            "stock_locations: 2 created, 0 updated, 0 unchanged",
            "shipping_profiles: 2 created, 0 updated, 0 unchanged",
            "fulfillment_providers: 1 created, 0 updated, 1 unchanged",
            WARNING,
        ]
        americas, europe = Region.objects.order_by("name")
        assert (americas.currency_id, americas.tax_rate, americas.is_tax_inclusive) == ("usd", Decimal("1.5"), True)
        assert americas.metadata == {"a": 1.5}
        assert [provider.pk for provider in americas.payment_providers.all()] == ["pp_system_default"]
        assert (europe.currency_id, europe.tax_rate, europe.is_tax_inclusive, europe.metadata) == (
            "eur",
            0,
            False,
            None,
        )
        assert countries() == {"us": "Americas", "ca": "Americas", "de": "Europe"}
        assert set(TaxRate.objects.values_list("tax_region__country_id", "tax_region__province", "rate")) == {
            ("us", "us-ny", Decimal("8.875")),
            ("us", None, Decimal(5)),
            ("ca", "ca-on", Decimal(13)),
        }
        assert default_region() == "Europe"
        warehouse = StockLocation.objects.get(name="Warehouse")
        assert (warehouse.address.city, warehouse.address.country_code, warehouse.address.province) == (
            "Austin", "us", "us-tx",
        )  # fmt: skip
        assert (warehouse.address.address_2, warehouse.address.metadata) == (None, None)
        assert [channel.name for channel in warehouse.sales_channels.all()] == ["Default Sales Channel"]
        assert StockLocation.objects.get(name="Attic").address is None
        assert set(ShippingProfile.objects.values_list("name", "type")) == {
            ("Default", "default"),
            ("Letters", "default"),
        }
        assert set(FulfillmentProvider.objects.values_list("pk", "is_enabled")) == {
            ("manual_manual", True), ("pigeons", False),
        }  # fmt: skip

    def test_a_second_load_changes_no_row(self, files):
        files.load(SHOP)
        before = everything()
        assert files.load(SHOP) == [
            "regions: 0 created, 0 updated, 2 unchanged",
            "stores: 0 created, 0 updated, 1 unchanged",
            "stock_locations: 0 created, 0 updated, 2 unchanged",
            "shipping_profiles: 0 created, 0 updated, 2 unchanged",
            "fulfillment_providers: 0 created, 0 updated, 2 unchanged",
            WARNING,
        ]
        assert everything() == before

    def test_the_dump_loaded_again_changes_no_row_and_makes_the_same_shop_elsewhere(self, files):
        files.load(SHOP)
        before, content = everything(), files.dump()
        files.load(content)
        assert everything() == before
        Store.objects.update(default_region=None)
        for model in (TaxRegion, Region, StockLocation, StockLocationAddress, ShippingProfile):
            model._default_manager.all().delete()
        FulfillmentProvider.objects.filter(pk="pigeons").delete()
        files.load(content)
        assert files.dump() == content

    def test_the_demo_shops_regions_and_places_load_and_load_again(self, files):
        shop = json.loads(DEMO.read_bytes())
        keys = ("sales_channels", "regions", "stock_locations", "shipping_profiles", "fulfillment_providers")
        files.load(shop, only=keys)
        before = everything()
        files.load(shop, only=keys)
        assert everything() == before
        assert countries()["nl"] == "Europe"
        assert Region.objects.get(name="Europe").tax_rate == 19

    def test_what_the_file_leaves_out_stays(self, files):
        files.load(SHOP)
        before = everything()
        files.load({
            "regions": [{"name": "Americas"}],
            "stock_locations": [{"name": "Warehouse"}],
            "stores": [{"name": "Store", "default_region": None}],
        })  # fmt: skip
        assert everything() == before

    def test_lists_are_reported_whole(self, files):
        files.load(SHOP)
        lines = files.load({
            "regions": [{**AMERICAS, "countries": ["us"], "payment_providers": [], "tax_rates": [
                {"country_code": "us", "province": "us-ny", "rate": 9},
            ]}],
            "stock_locations": [{"name": "Warehouse", "sales_channels": [], "address": {"city": "Reno"}}],
        })  # fmt: skip
        assert lines == [
            "regions: 0 created, 1 updated, 0 unchanged",
            "stock_locations: 0 created, 1 updated, 0 unchanged",
            WARNING,
        ]
        assert countries() == {"us": "Americas", "de": "Europe"}
        rates = TaxRate.objects.values_list("tax_region__country", "tax_region__province", "rate")
        assert set(rates) == {("us", "us-ny", 9), ("ca", "ca-on", 13)}
        assert Region.objects.get(name="Americas").payment_providers.count() == 0
        warehouse = StockLocation.objects.get(name="Warehouse")
        assert warehouse.sales_channels.count() == 0
        assert (warehouse.address.city, warehouse.address.country_code) == ("Reno", None)

    def test_an_address_of_null_is_removed(self, files):
        files.load(SHOP)
        files.load({"stock_locations": [{"name": "Warehouse", "address": None}]})
        assert StockLocation.objects.get(name="Warehouse").address is None
        assert not StockLocationAddress.objects.exists()

    def test_regions_cost_a_constant_number_of_statements(self, files):
        def cost(amount: int) -> int:
            codes = iter(Country.objects.filter(region=None).values_list("pk", flat=True))
            made = [
                {"name": f"{amount}.{one}", "currency_code": "eur", "countries": [code], "payment_providers": [],
                 "tax_rates": [{"country_code": code, "rate": 1}]}
                for one, code in zip(range(amount), codes, strict=False)
            ]  # fmt: skip
            with CaptureQueriesContext(
                connection,
            ) as queries:
                files.load({"regions": made})
            return len(queries)

        RegionFactory()
        cost(1)
        assert cost(40) == cost(2)


class TestPaymentProviders:
    def test_of_ones_own_are_entered_and_chosen_in_the_same_file(self, files):
        lines = files.load({**region(payment_providers=["pp_own"]), "payment_providers": [{"id": "pp_own"}]})
        assert lines[0] == "payment_providers: 1 created, 0 updated, 0 unchanged"
        assert list(Region.objects.get().payment_providers.values_list("pk", "is_enabled")) == [("pp_own", True)]

    def test_are_switched_on_and_off(self, files):
        (line,) = files.load({"payment_providers": [{"id": "pp_system_default", "is_enabled": False}]})
        assert line == "payment_providers: 0 created, 1 updated, 0 unchanged"
        assert not PaymentProvider.objects.get(pk="pp_system_default").is_enabled

    def test_that_are_deleted_do_not_come_back(self, files):
        PaymentProvider.objects.create(id="pp_gone", deleted_at=timezone.now())
        problems = ["payment_providers[0].id: belongs to a deleted row"]
        assert files.refused({"payment_providers": [{"id": "pp_gone"}]}) == problems


class TestCurrencies:
    def test_say_whether_amounts_contain_the_tax(self, files):
        given = {"currencies": [{"code": "EUR", "is_tax_inclusive": True}, {"code": "usd", "is_tax_inclusive": False}]}
        assert files.load(given) == ["currencies: 0 created, 1 updated, 1 unchanged"]
        assert list(Currency.objects.filter(is_tax_inclusive=True).values_list("pk", flat=True)) == ["eur"]
        assert files.load(given) == ["currencies: 0 created, 0 updated, 2 unchanged"]

    def test_are_dumped_where_a_region_sells_in_them_or_they_contain_the_tax(self, files):
        files.load({"regions": [AMERICAS], "currencies": [{"code": "chf", "is_tax_inclusive": True}]})
        assert files.dump()["currencies"] == [
            {"code": "chf", "is_tax_inclusive": True},
            {"code": "usd", "is_tax_inclusive": False},
        ]

    def test_are_those_of_iso_4217(self, files):
        Currency.objects.filter(pk="sek").delete()
        problems = [
            "currencies[0].code: 'zzz' is not an ISO 4217 currency code",
            "currencies[1].id: unknown field",
            "currencies[2].code: is required",
            "currencies[3].code: the shop has no currency 'sek'",
        ]
        given = [{"code": "zzz"}, {"id": "eur", "code": "eur"}, {"is_tax_inclusive": True}, {"code": "sek"}]
        assert files.refused({"currencies": given}) == problems


class TestCountries:
    def test_move_where_the_file_says_so_of_both_regions_in_either_order(self, files):
        files.load(SHOP)
        files.load(
            {"regions": [{"name": "Europe", "countries": ["de", "ca"]}, {"name": "Americas", "countries": ["us"]}]}
        )
        assert countries() == {"us": "Americas", "ca": "Europe", "de": "Europe"}
        files.load(
            {"regions": [{"name": "Americas", "countries": ["us", "ca"]}, {"name": "Europe", "countries": ["de"]}]}
        )
        assert countries() == {"us": "Americas", "ca": "Americas", "de": "Europe"}

    def test_are_not_taken_from_a_region_that_the_file_leaves_as_it_is(self, files):
        files.load(SHOP)
        problem = "regions[0].countries: Country with code: us already belongs to the region 'Americas'"
        assert files.refused(region(countries=["de", "us"])) == [problem]
        silent = {"regions": [{**EUROPE, "countries": ["us"]}, {"name": "Americas", "tax_rate": 3}]}
        assert files.refused(silent) == [problem]

    def test_are_in_one_region_of_the_file(self, files):
        twice = {"regions": [AMERICAS, {**EUROPE, "countries": ["de", "CA"]}]}
        assert files.refused(twice) == [
            "regions[1].countries: Country with code: ca already belongs to the region 'Americas'"
        ]

    def test_of_a_deleted_region_are_free(self, files):
        RegionFactory(name="Atlantis", countries=["de"], deleted_at=timezone.now())
        files.load(region())
        assert countries() == {"de": "Europe"}

    def test_named_twice_count_once(self, files):
        files.load(region(countries=["de", "DE"]))
        before = everything()
        files.load(region(countries=["de", "DE"]))
        assert everything() == before

    def test_of_a_region_with_problems_of_its_own_are_no_second_problem(self, files):
        files.load(SHOP)
        moved = {"regions": [{**EUROPE, "countries": ["us"]}, {**AMERICAS, "countries": ["ca"], "tax_rate": "ten"}]}
        assert files.refused(moved) == ['regions[1].tax_rate: expected a number, got "ten"']


class TestDefaultRegion:
    def test_is_the_first_region_where_the_store_has_none(self, files):
        files.load({"regions": [AMERICAS, EUROPE]})
        assert default_region() == "Americas"

    def test_stays_when_others_come(self, files):
        files.load(region())
        files.load({"regions": [AMERICAS]})
        assert default_region() == "Europe"

    def test_may_be_named_before_its_section(self, files):
        files.load({"stores": [{"name": "Store", "default_region": "Europe"}], "regions": [AMERICAS, EUROPE]})
        assert default_region() == "Europe"


@pytest.mark.parametrize(("key", "given", "problem"), [
    ("regions", {"name": "E"}, ".currency_code: is required"),
    ("regions", {"currency_code": "eur"}, ".name: is required"),
    ("regions", {**EUROPE, "currency_code": "zzz"}, ".currency_code: 'zzz' is not an ISO 4217 currency code"),
    ("regions", {**EUROPE, "countries": ["de", "zz"]}, ".countries[1]: 'zz' is not an ISO 3166-1 country code"),
    ("regions", {**EUROPE, "countries": "de"}, '.countries: expected a list, got "de"'),
    ("regions", {**EUROPE, "tax_rate": 1000.5}, ".tax_rate: expected a number from 0 to 1000"),
    ("regions", {**EUROPE, "tax_rate": 1.00001}, ".tax_rate: has more than 4 decimals"),
    ("regions", {**EUROPE, "payment_providers": ["pp_nobody"]},
     ".payment_providers[0]: there is no payment provider 'pp_nobody'"),
    ("regions", {**EUROPE, "tax_rates": [{"country_code": "de", "rate": 1}, {"country_code": "de", "rate": "ten"}]},
     '.tax_rates[1].rate: expected a number, got "ten"'),
    ("regions", {**EUROPE, "tax_rates": [{"rate": 1}]}, ".tax_rates[0].country_code: is required"),
    ("regions", {**EUROPE, "tax_rates": [{"country_code": "de"}]}, ".tax_rates[0].rate: is required"),
    ("regions", {**EUROPE, "tax_rates": [{"country_code": "de", "province": "ny", "rate": 1}]},
     ".tax_rates[0].province: 'ny' is not an ISO 3166-2 province of 'de'"),
    ("stock_locations", {"name": "A", "sales_channels": ["Moon"]},
     ".sales_channels[0]: there is no sales channel 'Moon'"),
    ("stock_locations", {"name": "A", "address": "Dock 4"}, '.address: expected an object, got "Dock 4"'),
    ("stock_locations", {"name": "A", "address": {"province": "ny"}},
     ".address.province: 'ny' is not an ISO 3166-2 province of any country"),
    ("stock_locations", {"name": "A", "address": {"street": "x"}}, ".address.street: unknown field"),
    ("shipping_profiles", {"type": "default"}, ".name: is required"),
    ("fulfillment_providers", {"is_enabled": True}, ".id: is required"),
    ("fulfillment_providers", {"id": " "}, ".id: must not be blank"),
    ("stores", {"name": "S", "default_region": "Moon"}, ".default_region: there is no region 'Moon'"),
])  # fmt: skip
def test_a_bad_value_is_reported_by_its_path(files, key, given, problem):
    assert files.refused({key: [given]}) == [f"{key}[0]{problem}"]


def test_two_rates_for_one_place_are_refused(files):
    rates = [
        {"country_code": "us", "province": "ny", "rate": 1},
        {"country_code": "us", "province": "US-NY", "rate": 2},
    ]
    assert files.refused(region(tax_rates=rates)) == ["regions[0].tax_rates: There are two tax rates for 'us-ny'"]


def test_deleted_rows_are_left_alone_and_left_out(files):
    RegionFactory(name="Europe", deleted_at=timezone.now())
    StockLocation.objects.create(name="Attic", deleted_at=timezone.now())
    files.load(SHOP)
    assert Region.objects.filter(name="Europe").count() == 2
    content = files.dump()
    assert [one["name"] for one in content["regions"]] == ["Americas", "Europe"]
    assert [one["name"] for one in content["stock_locations"]] == ["Warehouse", "Attic"]


def test_deleted_channels_and_providers_are_no_part_of_the_dump(files):
    files.load(SHOP)
    gone = SalesChannelFactory(name="Gone", deleted_at=timezone.now())
    StockLocation.objects.get(name="Warehouse").sales_channels.add(gone)
    provider = PaymentProvider.objects.create(id="pp_gone", deleted_at=timezone.now())
    Region.objects.get(name="Americas").payment_providers.add(provider)
    before, content = everything(), files.dump()
    assert content["stock_locations"][0]["sales_channels"] == ["Default Sales Channel"]
    assert content["regions"][0]["payment_providers"] == ["pp_system_default"]
    files.load(content)
    assert everything() == before
    assert SalesChannel.objects.filter(stock_locations__name="Warehouse").count() == 2


SELLER = {
    "legal_name": "Teas and more GmbH",
    "address_1": "1 Harbour Street",
    "address_2": None,
    "postal_code": "20457",
    "city": "Hamburg",
    "province": "de-hh",
    "country_code": "de",
    "tax_number": "DE123456789",
    "registration_number": "HRB 1234",
    "bank_account": "Bank of Tea\nIBAN DE02 1203 0000 0000 2020 51",
    "email": "bills@example.com",
    "invoice_footer": None,
}


def test_the_seller_goes_round_and_a_file_without_it_leaves_it(files: ShopFiles) -> None:
    files.load({"stores": [{"name": "Teas", **SELLER, "country_code": "DE", "province": "Hamburg"}]})
    (dumped,) = files.dump()["stores"]
    assert {name: dumped[name] for name in SELLER} == SELLER
    files.load({"stores": [{"name": "Teas"}]})
    assert Store.objects.values(*SELLER).get() == SELLER
    assert files.dump()["stores"] == [dumped]
    assert files.refused({"stores": [{"name": "Teas", "country_code": "xx", "email": "bills"}]}) == [
        "stores[0].country_code: 'xx' is not an ISO 3166-1 country code"
    ]
