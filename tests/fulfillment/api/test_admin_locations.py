"""Stock locations, their fulfillment sets and service zones below /admin, as the official SDK calls them."""

from typing import Any

import pytest

from fulfillment.models import FulfillmentSet, GeoZone, ServiceZone
from shop.models import FulfillmentProvider, StockLocation
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.inventory import InventoryItemFactory, InventoryLevelFactory, StockLocationFactory
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

LEVELS = "inventory levels with stock or reservations"
ADDRESS = {"country_code": "US", "address_1": "1 Main St", "province": "New York", "city": "Albany", "company": None}


class TestLocations:
    def test_one_is_made_with_its_address_and_changed(self, admin: Caller) -> None:
        body = {"name": "Albany", "address": ADDRESS, "metadata": {"a": 1}}
        made = admin.post("/admin/stock-locations", body).json()["stock_location"]
        assert made == {**made, "name": "Albany", "metadata": {"a": 1}, "address_id": made["address"]["id"]}
        assert made["address"] == {**made["address"], **ADDRESS, "country_code": "us", "province": "us-ny"}
        one = f"/admin/stock-locations/{made['id']}"
        changed = admin.post(one, {"address": {"country_code": "us", "address_1": "2 Main St"}})
        shown = changed.json()["stock_location"]
        assert (shown["address"]["address_1"], shown["address"]["city"]) == ("2 Main St", "Albany")
        assert (shown["name"], shown["updated_at"] > made["updated_at"]) == ("Albany", True)
        assert admin.post(one, {"address": None}).json()["stock_location"]["address"] is None
        assert refusal(admin.post(one, {"address": {"country_code": "xx", "address_1": "1"}}))[0] == 400
        assert admin.post("/admin/stock-locations", {"name": "Albany"}).status_code == 422
        assert admin.send("DELETE", one).json() == {"id": made["id"], "object": "stock_location", "deleted": True}
        assert admin.get(one).status_code == 404

    def test_a_province_is_of_the_stored_country(self, admin: Caller) -> None:
        path = "/admin/stock-locations"
        made = admin.post(path, {"name": "Albany", "address": ADDRESS}).json()["stock_location"]
        moved = admin.post(f"{path}/{made['id']}", {"address": {"province": "CA"}}).json()["stock_location"]["address"]
        assert (moved["country_code"], moved["province"]) == ("us", "us-ca")
        abroad = admin.post(f"{path}/{made['id']}", {"address": {"country_code": "de"}}).json()["stock_location"]
        assert (abroad["address"]["country_code"], abroad["address"]["province"]) == ("de", None)

    def test_channels_and_providers_come_and_go(self, admin: Caller) -> None:
        location, old, new = StockLocationFactory(), SalesChannelFactory(), SalesChannelFactory()
        location.sales_channels.set([old])
        one = f"/admin/stock-locations/{location.pk}"
        fields = "fields=sales_channels.id,fulfillment_providers.id"
        shown = admin.post(f"{one}/sales-channels?{fields}", {"add": [new.pk], "remove": [old.pk]}).json()
        assert shown["stock_location"]["sales_channels"] == [{"id": new.pk}]
        FulfillmentProvider.objects.create(id="carrier_carrier")
        shown = admin.post(f"{one}/fulfillment-providers?{fields}", {"add": ["carrier_carrier"]}).json()
        assert shown["stock_location"] == {
            "id": location.pk,
            "sales_channels": [{"id": new.pk}],
            "fulfillment_providers": [{"id": "carrier_carrier"}],
        }
        for path, field in (("sales-channels", "add"), ("fulfillment-providers", "remove")):
            status, message = refusal(admin.post(f"{one}/{path}", {"add": [], field: ["x"]}))
            assert (status, f"given by field '{field}'" in message) == (400, True)
        assert admin.post("/admin/stock-locations/sloc_x/sales-channels", {"add": [new.pk]}).status_code == 404
        mutation = """mutation ($id: ID!) {
          updateStockLocation(id: $id, input: { salesChannels: [] }) { stockLocation { salesChannels { id } } } }"""
        answer = data(ask(admin, mutation, {"id": location.pk}))
        assert answer["updateStockLocation"] == {"stockLocation": {"salesChannels": []}}

    @pytest.mark.parametrize(
        "stock", [{"stocked_quantity": 1}, {"stocked_quantity": 0, "incoming_quantity": 2}, {"stocked_quantity": 0}]
    )
    def test_one_with_stock_is_kept(self, admin: Caller, stock: dict[str, int]) -> None:
        location = StockLocationFactory(name="Berlin")
        InventoryLevelFactory(location=location, inventory_item=InventoryItemFactory(sku="MUG"), **stock)
        answer = admin.send("DELETE", f"/admin/stock-locations/{location.pk}")
        if any(stock.values()):
            assert refusal(answer) == (
                400,
                f"The stock location 'Berlin' is used by {LEVELS}, and cannot be deleted",
            )
        assert StockLocation.objects.not_deleted().filter(pk=location.pk).exists() == any(stock.values())

    def test_one_with_fulfillment_sets_is_kept_until_they_are_deleted(self, admin: Caller) -> None:
        ways = zone(location=StockLocationFactory(name="Berlin")).fulfillment_set
        one = f"/admin/stock-locations/{ways.location_id}"
        assert refusal(admin.send("DELETE", one)) == (
            400,
            "The stock location 'Berlin' is used by fulfillment sets, and cannot be deleted",
        )
        deleted = admin.send("DELETE", f"/admin/fulfillment-sets/{ways.pk}").json()
        assert deleted == {"id": ways.pk, "object": "fulfillment_set", "deleted": True}
        assert not ServiceZone.objects.not_deleted().exists()
        assert admin.send("DELETE", one).status_code == 200


def test_a_profile_that_goods_have_is_kept(admin: Caller) -> None:
    profile = ProfileFactory(name="Boxes")
    used = "The shipping profile 'Boxes' is used by {}, and cannot be deleted"
    mug, way = ProductFactory(title="Mug", shipping_profile=profile), option(name="Post", shipping_profile=profile)
    one = f"/admin/shipping-profiles/{profile.pk}"
    assert refusal(admin.send("DELETE", one)) == (400, used.format("products and shipping options"))
    type(mug).objects.update(shipping_profile=None)
    assert refusal(admin.send("DELETE", one)) == (400, used.format("shipping options"))
    assert admin.send("DELETE", f"/admin/shipping-options/{way.pk}").status_code == 200
    assert admin.send("DELETE", one).status_code == 200


def test_providers_are_listed_with_what_they_offer(admin: Caller) -> None:
    location = StockLocationFactory()
    location.fulfillment_providers.set(["manual_manual"])
    FulfillmentProvider.objects.create(id="carrier_carrier", is_enabled=False)
    shown = admin.get("/admin/fulfillment-providers", f"stock_location_id={location.pk}").json()
    assert shown["fulfillment_providers"] == [{"id": "manual_manual", "is_enabled": True}]
    options = admin.get("/admin/fulfillment-providers/manual_manual/options").json()
    assert options["fulfillment_options"] == [
        {"id": "delivery", "is_return": False},
        {"id": "return", "is_return": True},
    ]
    assert (options["count"], options["offset"], options["limit"]) == (2, 0, 2)
    assert admin.get("/admin/fulfillment-providers/none/options").status_code == 404


def made_zone(admin: Caller, *places: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    location = StockLocationFactory()
    ways = admin.post(
        f"/admin/stock-locations/{location.pk}/fulfillment-sets?fields=*fulfillment_sets",
        {"name": "Ways", "type": "shipping"},
    ).json()["stock_location"]["fulfillment_sets"][0]
    path = f"/admin/fulfillment-sets/{ways['id']}/service-zones"
    answer = admin.post(path, {"name": "Europe", "geo_zones": [*places]})
    assert answer.status_code == 200, answer.content
    made = answer.json()["fulfillment_set"]
    assert made == {**made, "id": ways["id"], "name": "Ways", "type": "shipping"}
    assert made["location"]["id"] == location.pk
    return path, made["service_zones"][0]


GERMANY = {"type": "country", "country_code": "DE"}
BAVARIA = {"type": "province", "country_code": "de", "province_code": "Bayern"}
ULM = {"type": "city", "country_code": "de", "province_code": "de-bw", "city": "Ulm"}
BERLIN = {
    "type": "zip",
    "country_code": "de",
    "province_code": "BE",
    "city": "Berlin",
    "postal_expression": {"from": "10115", "to": "14199"},
}


class TestZones:
    def test_one_has_countries_and_parts_of_them(self, admin: Caller) -> None:
        path, zone = made_zone(admin, GERMANY, BAVARIA, ULM, BERLIN)
        places = [{key: each[key] for key in BERLIN} for each in zone["geo_zones"]]
        nowhere = dict.fromkeys(("province_code", "city", "postal_expression"))
        assert places == [
            {**nowhere, **GERMANY, "country_code": "de"},
            {**nowhere, **BAVARIA, "province_code": "de-by"},
            {**nowhere, **ULM},
            {**BERLIN, "province_code": "de-be"},
        ]
        shown = admin.get(f"{path}/{zone['id']}").json()["service_zone"]
        assert (shown["name"], shown["fulfillment_set"]["name"], shown["shipping_options"]) == ("Europe", "Ways", [])

    def test_the_list_replaces_its_places(self, admin: Caller) -> None:
        path, zone = made_zone(admin, GERMANY, BAVARIA)
        kept, gone = (each["id"] for each in zone["geo_zones"])
        codes = {"type": "zip", "country_code": "gb", "postal_expression": ["PA6 7LN", {"outward_code": "PA20"}]}
        body = {"geo_zones": [{**GERMANY, "country_code": "at", "id": kept}, codes]}
        answer = admin.post(f"{path}/{zone['id']}", body).json()["fulfillment_set"]["service_zones"][0]
        assert [(each["country_code"], each["postal_expression"]) for each in answer["geo_zones"]] == [
            ("at", None),
            ("gb", codes["postal_expression"]),
        ]
        assert answer["geo_zones"][0]["id"] == kept
        assert GeoZone.objects.get(pk=gone).deleted_at is not None
        assert (answer["name"], answer["updated_at"] > zone["updated_at"]) == ("Europe", True)
        unchanged = admin.post(f"{path}/{zone['id']}", {"name": "EU"}).json()["fulfillment_set"]["service_zones"][0]
        assert (unchanged["name"], unchanged["geo_zones"]) == ("EU", answer["geo_zones"])

    @pytest.mark.parametrize(
        ("places", "problem"),
        [
            ([GERMANY, GERMANY], "geo_zones[1]: The zone has this place twice"),
            ([{**ULM, "city": None}], "geo_zones[0].city: Field 'city' is required for a zone of type 'city'"),
            (
                [GERMANY, {**BAVARIA, "province_code": "XX"}],
                "geo_zones[1].province_code: 'XX' of field 'province_code' is not",
            ),
            (
                [{**BERLIN, "postal_expression": {"like": "1"}}],
                "geo_zones[0].postal_expression: Value for field 'postal_expression'",
            ),
            ([{**BERLIN, "postal_expression": True}], "for field 'geo_zones[0].postal_expression', got: 'true'"),
            ([{**GERMANY, "country_code": "xx"}], "'xx' of field 'geo_zones[0].country_code' is not"),
            ([{**GERMANY, "id": "fgz_x"}], "geo_zones[0].id: Geo zone with id: fgz_x was not found"),
            ([{**GERMANY, "metadata": {}}], "Unrecognized fields: 'geo_zones[0].metadata'"),
        ],
    )
    def test_bad_places_change_nothing(self, admin: Caller, places: list[dict[str, Any]], problem: str) -> None:
        path, zone = made_zone(admin, BAVARIA)
        for answer in (
            admin.post(f"{path}/{zone['id']}", {"name": "New", "geo_zones": places}),
            admin.post(path, {"name": "New", "geo_zones": places}),
        ):
            status, message = refusal(answer)
            assert (status, problem in message) == (400, True), message
        assert ServiceZone.objects.get().name == "Europe"
        assert GeoZone.objects.not_deleted().get().province_code == "de-by"

    def test_a_zone_is_found_in_its_own_set_alone(self, admin: Caller) -> None:
        path, made = made_zone(admin, GERMANY)
        other = zone().fulfillment_set_id
        elsewhere = f"/admin/fulfillment-sets/{other}/service-zones/{made['id']}"
        for answer in (admin.get(elsewhere), admin.post(elsewhere, {}), admin.send("DELETE", elsewhere)):
            assert refusal(answer) == (404, f"Service zone with id: {made['id']} was not found")
        deleted = admin.send("DELETE", f"{path}/{made['id']}").json()
        assert deleted == {"id": made["id"], "object": "service_zone", "deleted": True}
        assert admin.get(f"{path}/{made['id']}").status_code == 404
        unknown = f"/admin/fulfillment-sets/{made['id']}/service-zones"
        assert admin.post(unknown, {"name": "A"}).status_code == 404
        unknown = "/admin/stock-locations/sloc_x/fulfillment-sets"
        assert admin.post(unknown, {"name": "A", "type": "shipping"}).status_code == 404
        assert FulfillmentSet.objects.count() == 2
