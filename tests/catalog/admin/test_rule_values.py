"""The values of rules by name, as the script of their field asks for them."""

import pytest
from django.test import Client

from catalog.admin.prices.rule_values import CHOSEN_FROM
from customers.models import CustomerGroup
from fulfillment.options.rule_attributes import OF_OPTIONS
from kit.values.timestamps import now
from tests.factories.customers import CustomerFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db


PAGE = "/admin/catalog/pricelist/rule-values/"


def asked(client: Client, attribute: str, **query: object) -> list[tuple[str, str]] | None:
    response = client.get(PAGE, {"attribute": attribute, **query})
    assert response.status_code == 200
    values = response.json()["values"]
    return None if values is None else [(one["id"], one["name"]) for one in values]


def test_each_table_is_searched_by_name() -> None:
    client = superuser()
    region, group = RegionFactory(name="Oceania"), CustomerGroup.objects.create(name="Wholesale")
    channel, ann = SalesChannelFactory(name="Market stall"), CustomerFactory(email="ann@example.com")
    RegionFactory(name="Oceania, gone", deleted_at=now())
    assert asked(client, "region_id", q="ocean") == [(region.pk, "Oceania")]
    assert asked(client, "customer.groups.id", q="whole") == [(group.pk, "Wholesale")]
    assert asked(client, "sales_channel_id", q="stall") == [(channel.pk, "Market stall")]
    assert [key for key, _ in asked(client, "customer.id", q="ann@") or ()] == [ann.pk]
    assert asked(client, "country_code", q="new z") == [("nz", "New Zealand")]
    assert ("nz", "New Zealand") in (asked(client, "shipping_address.country_code", q="NZ") or ())
    assert "chf" in [key for key, _ in asked(client, "currency_code", q="swiss") or ()]


def test_stored_ids_get_their_names_and_unknown_ones_none() -> None:
    client, region = superuser(), RegionFactory(name="Oceania")
    assert asked(client, "region_id", id=[region.pk, "reg_none", "\0"]) == [(region.pk, "Oceania")]
    assert asked(client, "country_code", id=["at", "zz"]) == [("at", "Austria")]


def test_values_of_attributes_without_a_table_are_typed() -> None:
    client = superuser()
    for attribute in ("", "province", "item_total", "x\0"):
        assert asked(client, attribute) is None
    assert CHOSEN_FROM.keys() <= OF_OPTIONS.keys()


def test_customers_are_for_users_who_may_view_them() -> None:
    CustomerFactory(email="ann@example.com")
    client = visitor("catalog.change_pricelist", "shop.view_region")
    assert asked(client, "customer.id", q="ann") is None
    assert asked(client, "region_id", q="o") == []
    assert Client().get(PAGE, {"attribute": "region_id"}).status_code == 302
