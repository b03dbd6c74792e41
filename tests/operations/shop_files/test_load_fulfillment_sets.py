import copy
from decimal import Decimal
from typing import Any

import pytest

from catalog.models import Price, PriceSet
from fulfillment.models import (
    FulfillmentSet,
    GeoZone,
    ServiceZone,
    ShippingOption,
    ShippingOptionRule,
    ShippingOptionType,
)
from fulfillment.options.rule_attributes import OF_CARTS, OF_OPTIONS
from tests.operations.shop_file_runs import ShopFiles, everything
from tests.operations.tea_shop import EXPRESS, SHIPPING, shop

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ZONE: dict[str, Any] = SHIPPING["service_zones"][0]


@pytest.fixture
def tea(files: ShopFiles) -> ShopFiles:
    files.load(shop())
    return files


def with_zone(**fields: Any) -> dict[str, Any]:
    """A file of the set alone, with these fields in place of its zone's own."""
    return {"fulfillment_sets": [{**SHIPPING, "service_zones": [{**copy.deepcopy(ZONE), **fields}]}]}


def with_express(**fields: Any) -> dict[str, Any]:
    return with_zone(shipping_options=[{**copy.deepcopy(EXPRESS), **fields}])


OPTION = "service_zones[0].shipping_options[0]"


def express() -> ShippingOption:
    return ShippingOption.objects.get(name="Express")


def test_a_set_stands_at_its_location_and_has_zones(tea: ShopFiles):
    dock = FulfillmentSet.objects.get()
    assert dock.location
    assert (dock.name, dock.type, dock.location.name, dock.metadata) == ("From the dock", "shipping", "Dock", {"c": 3})
    zone = ServiceZone.objects.get()
    assert (zone.name, zone.fulfillment_set, zone.metadata) == ("Germany and New York", dock, {"b": 2})
    assert set(zone.geo_zones.values_list("type", "country_id", "province_code", "city")) == {
        ("country", "de", None, None),
        ("province", "us", "us-ny", None),
        ("city", "fr", None, "Lyon"),
        ("zip", "fr", None, None),
    }
    assert GeoZone.objects.get(type="zip").postal_expression == {"from": "75000", "to": "75999"}


def test_a_zone_that_replaces_wider_ones_keeps_that_unless_the_file_says_otherwise(tea: ShopFiles):
    tea.load(with_zone(replaces_wider=True))
    assert ServiceZone.objects.get().replaces_wider
    tea.load(with_zone())
    [zone] = tea.dump()["fulfillment_sets"][0]["service_zones"]
    assert zone["replaces_wider"] is True
    tea.load(with_zone(replaces_wider=False))
    assert not ServiceZone.objects.get().replaces_wider


def test_an_option_has_its_type_prices_and_rules(tea: ShopFiles):
    option = express()
    assert option.type
    assert option.shipping_profile
    assert (option.price_type, option.provider_id, option.shipping_profile.name) == ("flat", "manual_manual", "Parcel")
    assert (option.type.label, option.type.description, option.type.code) == ("Express", "Tomorrow", "express")
    assert (option.data, option.metadata) == ({"carrier": "dhl"}, {"a": 1})
    prices = Price.objects.filter(price_set=option.price_set)
    assert {(price.amount, price.rules.count()) for price in prices} == {(Decimal("9.9"), 0), (Decimal(0), 2)}
    assert list(option.rules.order_by("pk").values_list("attribute", "operator", "value")) == [
        ("enabled_in_store", "eq", "true"),
        ("customer.groups.id", "in", ["a", "b"]),
    ]


def test_an_option_without_more_is_flat_and_without_price_set(tea: ShopFiles):
    pickup = ShippingOption.objects.get(name="Pickup")
    assert (pickup.price_type, pickup.provider, pickup.type, pickup.price_set) == ("flat", None, None, None)


def test_zones_and_options_that_are_not_named_stay(tea: ShopFiles):
    before = everything()
    tea.load(with_zone(shipping_options=[]), {"fulfillment_sets": [{**SHIPPING, "service_zones": []}]})
    assert everything() == before


def test_geo_zones_prices_and_rules_are_all_that_there_is(tea: ShopFiles):
    tea.load(
        with_zone(geo_zones=[ZONE["geo_zones"][0]], shipping_options=[{"name": "Express", "prices": [], "rules": []}])
    )
    assert GeoZone.objects.get().country_id == "de"
    assert Price.objects.filter(price_set=express().price_set).count() == 0
    assert ShippingOptionRule.objects.count() == 0


def test_a_type_is_changed_and_taken_away(tea: ShopFiles):
    kind = ShippingOptionType.objects.get()
    tea.load(with_express(type={"label": "Fast", "code": "fast"}))
    kind.refresh_from_db()
    assert (kind.label, kind.description, kind.code) == ("Fast", "", "fast")
    tea.load(with_express(type=None))
    assert express().type is None
    assert ShippingOptionType.objects.get() == kind


def test_options_are_found_by_id_to_rename_them(tea: ShopFiles):
    option = express()
    tea.load(with_express(id=option.pk, name="Overnight"))
    option.refresh_from_db()
    assert option.name == "Overnight"
    assert PriceSet.objects.filter(shipping_option=option).count() == 1


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ({"fulfillment_sets": [{"name": "New"}]}, "type: is required"),
        ({"fulfillment_sets": [{**SHIPPING, "location": "Moon"}]}, "location: there is no stock location 'Moon'"),
        (with_zone(geo_zones=[{"type": "country"}]), "service_zones[0].geo_zones[0].country_code: is required"),
        (
            with_zone(geo_zones=[{"country_code": "zz"}]),
            "service_zones[0].geo_zones[0].country_code: 'zz' is not an ISO 3166-1 country code",
        ),
        (
            with_zone(geo_zones=[{"type": "province", "country_code": "us", "province_code": "by"}]),
            "service_zones[0].geo_zones[0].province_code: 'by' is not a province of 'us' in ISO 3166-2",
        ),
        (
            with_zone(geo_zones=[{"type": "city", "country_code": "us"}]),
            "service_zones[0].geo_zones[0].city: is required for the type city",
        ),
        (
            with_zone(geo_zones=[{"country_code": "us"}, {"type": "country", "country_code": "US"}]),
            "service_zones[0].geo_zones[1]: is repeated",
        ),
        (
            {"fulfillment_sets": [{"name": "Other", "type": "pickup", "service_zones": [{"name": ZONE["name"]}]}]},
            f"service_zones[0].name: '{ZONE['name']}' belongs to ZONE",
        ),
        (
            {"fulfillment_sets": [{**SHIPPING, "service_zones": [{"name": "A"}, {"name": "A"}]}]},
            "service_zones[1].name: 'A' already appears at fulfillment_sets[0].service_zones[0]",
        ),
        (
            with_zone(shipping_options=[{"name": "A"}, {"name": "A"}]),
            f"service_zones[0].shipping_options[1]: already appears at fulfillment_sets[0].{OPTION}",
        ),
        (with_zone(shipping_options=[{}]), f"{OPTION}.name: is required"),
        (
            with_express(provider="moon"),
            f"{OPTION}.provider: there is no fulfillment provider 'moon'",
        ),
        (with_express(type={"label": "x"}), f"{OPTION}.type.code: is required"),
        (
            with_express(rules=[{"attribute": "region_id", "operator": "eq", "value": 5}]),
            f"{OPTION}.rules[0].value: expected a text or a list of texts, got 5",
        ),
        (
            with_express(rules=[{"attribute": "item_totl", "operator": "gte", "value": "5"}]),
            f'{OPTION}.rules[0].attribute: expected {" or ".join(OF_OPTIONS)}, got "item_totl"',
        ),
        (
            with_express(rules=[{"attribute": "item_total", "operator": "gte", "value": "much"}]),
            f"{OPTION}.rules[0].value: has to be a number for item_total",
        ),
        (
            with_express(rules=[{"attribute": "is_return", "operator": "in", "value": ["true", "maybe"]}]),
            f"{OPTION}.rules[0].value: has to be true or false for is_return",
        ),
        (
            with_express(
                prices=[
                    {
                        "currency_code": "eur",
                        "amount": 1,
                        "rules": [{"attribute": "is_return", "operator": "eq", "value": "true"}],
                    }
                ]
            ),
            f'{OPTION}.prices[0].rules[0].attribute: expected {" or ".join(OF_CARTS)}, got "is_return"',
        ),
        (
            with_express(prices=[{"currency_code": "eur", "amount": 1.001}]),
            f"{OPTION}.prices[0].amount: Value for field 'amount' has more than 2 decimals of eur",
        ),
    ],
)
def test_what_is_wrong_is_reported_by_its_path(tea: ShopFiles, file: dict[str, Any], problem: str):
    expected = problem.replace("ZONE", ServiceZone.objects.get().pk)
    assert tea.refused(file) == [f"fulfillment_sets[0].{expected}"]


def test_an_option_may_not_take_the_name_of_another_of_its_zone(tea: ShopFiles):
    pickup = ShippingOption.objects.get(name="Pickup")
    problems = tea.refused(with_express(id=express().pk, name="Pickup"))
    path = f"fulfillment_sets[0].{OPTION}"
    assert problems == [f"{path}.name: 'Pickup' belongs to {pickup.pk}"]
