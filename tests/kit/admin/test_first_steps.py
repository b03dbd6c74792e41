"""The overview of an empty shop leads to its first sale."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apikeys.last_used import stamp
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption
from kit.values.timestamps import now
from shop.models import Country, ShippingProfile, StockLocation
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.shop import RegionFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def steps(client: Client) -> list[Any] | None:
    panels = client.get("/admin/").context["panels"]
    return next((panel.content for panel in panels if panel.title.startswith("First steps")), None)


def left(client: Client) -> list[tuple[str, str]]:
    return [(step.title, step.address) for step in steps(client) or () if not step.is_done]


def test_each_step_is_done_by_what_it_leads_to() -> None:
    client = superuser()
    region = ("Add a region", "/admin/shop/region/add/")
    product = ("Publish a product", "/admin/catalog/product/add/")
    key = ("Create a publishable key", "/admin/apikeys/apikey/add/")
    request = ("Connect the storefront", "")

    def shipping(model: str, app: str = "fulfillment") -> tuple[str, str]:
        return "Offer shipping", f"/admin/{app}/{model}/add/"

    assert left(client) == [region, shipping("stocklocation", "shop"), product, key, request]
    Country.objects.filter(pk="us").update(region=RegionFactory(currency_id="usd"))
    assert left(client) == [shipping("stocklocation", "shop"), product, key, request]
    StockLocation.objects.create(name="Attic")
    assert left(client)[0] == shipping("shippingprofile", "shop")
    ShippingProfile.objects.create(name="Boxes", type="default")
    assert left(client)[0] == shipping("fulfillmentset")
    warehouse = FulfillmentSet.objects.create(name="Warehouse")
    assert left(client)[0] == shipping("servicezone")
    zone = ServiceZone.objects.create(name="Europe", fulfillment_set=warehouse)
    assert left(client)[0] == shipping("shippingoption")
    ShippingOption.objects.create(name="Parcel", service_zone=zone)
    assert left(client) == [product, key, request]
    make.sold_variant(10)
    assert left(client) == [key, request]
    issued = publishable_key()
    assert left(client) == [request]
    stamp(issued.key.pk, now())  # as a request with the key does within a minute
    assert steps(client) is None


def test_it_is_for_users_who_set_up_the_shop_and_links_to_what_they_may_do() -> None:
    assert steps(visitor("shop.view_store")) is None
    addresses = [step.address for step in steps(visitor("shop.change_store", "catalog.add_product")) or ()]
    assert addresses == ["", "", "/admin/catalog/product/add/", "", ""]


def test_it_costs_one_statement() -> None:
    client, other = visitor("shop.change_store"), visitor("shop.view_store")
    counts = []
    for each in (client, other):
        with CaptureQueriesContext(connection) as context:
            each.get("/admin/")
        counts.append(len(context))
    assert counts[0] - counts[1] == 1
