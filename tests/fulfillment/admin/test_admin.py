"""The screens of shipping."""

from decimal import Decimal

import pytest

from catalog.models import Price
from fulfillment.models import (
    FulfillmentSet,
    GeoZone,
    ServiceZone,
    ShippingOption,
    ShippingOptionRule,
    ShippingOptionType,
)
from shop.models import Country, FulfillmentProvider, ShippingProfile
from tests.factories.inventory import StockLocationFactory
from tests.kit.admin.forms import errors, row, sent, submit
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

SETS = "/admin/fulfillment/fulfillmentset/"
ZONES = "/admin/fulfillment/servicezone/"
OPTIONS = "/admin/fulfillment/shippingoption/"


def a_zone(name: str = "Europe") -> ServiceZone:
    warehouse = FulfillmentSet.objects.create(name=f"From {name}", type="shipping")
    return ServiceZone.objects.create(name=name, fulfillment_set=warehouse)


class TestSets:
    def test_one_is_made(self):
        client, location = superuser(), StockLocationFactory()
        submit(client, f"{SETS}add/", sent(client, f"{SETS}add/", name="Post", type="shipping", location=location.pk))
        assert list(FulfillmentSet.objects.values_list("name", "type", "location")) == [
            ("Post", "shipping", location.pk)
        ]

    def test_the_only_location_is_chosen_already(self):
        client, location = superuser(), StockLocationFactory()
        assert sent(client, f"{SETS}add/")["location"] == [location.pk]
        StockLocationFactory()
        assert sent(client, f"{SETS}add/")["location"] == [""]

    def test_all_below_goes_along_and_comes_back(self):
        zone, client = a_zone(), superuser()
        option = ShippingOption.objects.create(name="Express", service_zone=zone)
        gone = ShippingOption.objects.create(name="Gone", service_zone=zone)
        ShippingOptionRule.objects.create(shipping_option=option, attribute="total", operator="gt", value="5")
        GeoZone.objects.create(service_zone=zone, country_id="de")
        client.post(f"{OPTIONS}{gone.pk}/delete/", {"post": "yes"})
        address = f"{SETS}{zone.fulfillment_set_id}/"
        client.post(f"{address}delete/", {"post": "yes"})
        parts = (FulfillmentSet, ServiceZone, ShippingOption, ShippingOptionRule, GeoZone)
        assert [part.objects.not_deleted().count() for part in parts] == [0, 0, 0, 0, 0]
        client.post(f"{address}restore/", {"post": "yes"})
        assert [part.objects.not_deleted().count() for part in parts] == [1, 1, 1, 1, 1]
        assert [flag for _, flag in history()] == [3, 3, 2]

    def test_a_name_taken_meanwhile_forbids_the_return(self):
        zone, client = a_zone(), superuser()
        client.post(f"{SETS}{zone.fulfillment_set_id}/delete/", {"post": "yes"})
        ServiceZone.objects.create(name="Europe", fulfillment_set=FulfillmentSet.objects.create(name="Other"))
        answer = client.post(f"{SETS}{zone.fulfillment_set_id}/restore/", {"post": "yes"})
        assert reported(answer)[-1] == "From Europe: Service zone with name: Europe already exists"
        assert FulfillmentSet.objects.get(pk=zone.fulfillment_set_id).deleted_at is not None

    def test_nothing_returns_below_what_is_deleted(self):
        zone, client = a_zone(), superuser()
        option = ShippingOption.objects.create(name="Express", service_zone=zone)
        client.post(f"{SETS}{zone.fulfillment_set_id}/delete/", {"post": "yes"})
        for deleted, address, parent in (
            (zone, f"{ZONES}{zone.pk}/", f"fulfillment set '{zone.fulfillment_set}'"),
            (option, f"{OPTIONS}{option.pk}/", "service zone 'Europe'"),
        ):
            answer = client.post(f"{address}restore/", {"post": "yes"})
            assert reported(answer)[-1] == f"{deleted}: The {parent} is deleted: restore it first"
        assert ShippingOption.objects.not_deleted().count() == ServiceZone.objects.not_deleted().count() == 0

    def test_each_screen_demands_its_permission(self):
        zone = a_zone()
        assert visitor().get(SETS).status_code == 403
        looks = visitor("fulfillment.view_fulfillmentset")
        assert looks.get(f"{SETS}{zone.fulfillment_set_id}/change/").status_code == 200
        assert looks.post(f"{SETS}{zone.fulfillment_set_id}/delete/", {"post": "yes"}).status_code == 403


class TestZones:
    def test_places_are_added_and_provinces_are_known_by_name(self):
        zone, client = a_zone(), superuser()
        address = f"{ZONES}{zone.pk}/change/"
        values = row(sent(client, address), "geo_zones", type="country", country="de")
        values = row(values, "geo_zones", type="province", country="us", province_code="New York")
        values = row(values, "geo_zones", type="zip", country="us", postal_expression='{"prefix": "10"}')
        submit(client, address, values)
        places = GeoZone.objects.order_by("pk").values_list("type", "country", "province_code", "postal_expression")
        assert list(places) == [
            ("country", "de", None, None),
            ("province", "us", "us-ny", None),
            ("zip", "us", None, {"prefix": "10"}),
        ]

    @pytest.mark.parametrize(
        ("given", "at"),
        [
            ({"country": "", "city": "Bonn"}, "country"),
            ({"country": "zz"}, "country"),
            ({"country": "\0"}, "country"),
            ({"type": "planet"}, "type"),
            ({"type": "province"}, "province_code"),
            ({"type": "city"}, "city"),
            ({"type": "zip"}, "postal_expression"),
            ({"province_code": "us-ny"}, "province_code"),
            ({"province_code": "far off"}, "province_code"),
            ({"province_code": "\0"}, "province_code"),
            ({"city": "\0"}, "city"),
            ({"postal_expression": "10"}, "postal_expression"),
            ({"postal_expression": '{"a": 1}'}, "postal_expression"),
            ({"postal_expression": '{"a": "\\u0000"}'}, "postal_expression"),
        ],
    )
    def test_each_fault_is_reported_at_its_field(self, given, at):
        zone, client = a_zone(), superuser()
        address = f"{ZONES}{zone.pk}/change/"
        values = row(sent(client, address), "geo_zones", **{"type": "country", "country": "de", **given})
        assert list(errors(client.post(address, values))) == [f"geo_zones-0-{at}"]
        assert not GeoZone.objects.exists()

    @pytest.mark.parametrize(("kind", "needed"), [("province", "province"), ("city", "city"), ("zip", "postal codes")])
    def test_what_a_type_needs_is_asked_for_in_words(self, kind, needed):
        zone, client = a_zone(), superuser()
        address = f"{ZONES}{zone.pk}/change/"
        values = row(sent(client, address), "geo_zones", type=kind, country="de")
        (problem,) = errors(client.post(address, values)).values()
        assert problem == [f"Enter the {needed}, or choose another type."]

    def test_its_page_costs_no_statement_a_place(self, django_assert_max_num_queries):
        zone, client = a_zone(), superuser()
        for country in Country.objects.all()[:40]:
            GeoZone.objects.create(service_zone=zone, country=country)
        with django_assert_max_num_queries(25):
            assert client.get(f"{ZONES}{zone.pk}/change/").status_code == 200


class TestOptions:
    def test_one_is_made_with_its_type_prices_and_rules(self):
        zone, client = a_zone(), superuser()
        profile = ShippingProfile.objects.create(name="Books")
        values = sent(
            client,
            f"{OPTIONS}add/",
            name="Express",
            service_zone=zone.pk,
            shipping_profile=profile.pk,
            provider=FulfillmentProvider.objects.get().pk,
            type_label="Fast",
            type_code="fast",
            data='{"speed": 9}',
        )
        values = row(values, "prices", currency="usd", amount="9.50")
        values = row(values, "rules", attribute="total", operator="gte", value="5")
        values = row(values, "rules", attribute="shipping_address.country_code", operator="in", value="de\nat")
        submit(client, f"{OPTIONS}add/", values)
        option = ShippingOption.objects.get()
        assert (option.name, option.shipping_profile, option.data) == ("Express", profile, {"speed": 9})
        assert (option.type.label, option.type.code, option.type.description) == ("Fast", "fast", "")
        assert Price.objects.get(price_set=option.price_set).amount == Decimal("9.5")
        assert list(option.rules.order_by("pk").values_list("value", flat=True)) == ["5", ["de", "at"]]

    def test_its_type_changes_and_goes(self):
        zone, client = a_zone(), superuser()
        option = ShippingOption.objects.create(name="Express", service_zone=zone)
        address = f"{OPTIONS}{option.pk}/change/"
        submit(client, address, sent(client, address, type_label="Fast", type_code="fast"))
        submit(client, address, sent(client, address, type_label="Faster"))
        option.refresh_from_db()
        assert (option.type.label, option.type.code) == ("Faster", "fast")
        submit(client, address, sent(client, address, type_label="", type_code=""))
        option.refresh_from_db()
        assert option.type is None
        assert ShippingOptionType.objects.get().label == "Faster"

    @pytest.mark.parametrize(
        ("given", "at"),
        [
            ({"name": ""}, "name"),
            ({"name": "Taken"}, "name"),
            ({"service_zone": "\0"}, "service_zone"),
            ({"provider": "\0"}, "provider"),
            ({"provider": "none"}, "provider"),
            ({"data": "[1]"}, "data"),
            ({"type_label": "Fast"}, "type_code"),
            ({"type_description": "Fast"}, "type_label"),
            ({"prices-0-amount": "9.9999"}, "prices-0-amount"),
            ({"rules-0-operator": "like"}, "rules-0-operator"),
            ({"rules-0-attribute": "item_totl"}, "rules-0-attribute"),
            ({"rules-0-attribute": "shipping_address.city"}, "rules-0-operator"),
            ({"rules-0-attribute": "is_return", "rules-0-operator": "eq"}, "rules-0-value"),
            ({"rules-0-value": "5 euros"}, "rules-0-value"),
            ({"rules-0-value": "a\nb"}, "rules-0-value"),
            ({"rules-0-value": "\0"}, "rules-0-value"),
        ],
    )
    def test_each_fault_is_reported_at_its_field(self, given, at):
        zone, client = a_zone(), superuser()
        ShippingOption.objects.create(name="Taken", service_zone=zone)
        values = sent(client, f"{OPTIONS}add/", name="Express", service_zone=zone.pk)
        values = row(values, "prices", currency="usd", amount="9")
        values = row(values, "rules", attribute="total", operator="gte", value="5")
        answer = client.post(f"{OPTIONS}add/", values | {name: [value] for name, value in given.items()})
        assert at in errors(answer)
        assert ShippingOption.objects.count() == 1

    def test_a_stored_attribute_that_never_holds_is_kept_and_said_to_be_so(self):
        zone, client = a_zone(), superuser()
        option = ShippingOption.objects.create(name="Express", service_zone=zone)
        ShippingOptionRule.objects.create(shipping_option=option, attribute="item_totl", operator="gte", value="5")
        address = f"{OPTIONS}{option.pk}/change/"
        assert "item_totl (never holds)" in client.get(address).content.decode()
        submit(client, address, sent(client, address, **{"rules-0-value": "6"}))
        assert ShippingOptionRule.objects.values_list("attribute", "value").get() == ("item_totl", "6")

    def test_the_operator_decides_whether_a_rule_has_one_value_or_a_list(self):
        zone, client = a_zone(), superuser()
        option = ShippingOption.objects.create(name="Express", service_zone=zone)
        ShippingOptionRule.objects.create(shipping_option=option, attribute="item_total", operator="eq", value="5")
        address = f"{OPTIONS}{option.pk}/change/"
        submit(client, address, sent(client, address, **{"rules-0-operator": "in"}))
        assert ShippingOptionRule.objects.get().value == ["5"]
