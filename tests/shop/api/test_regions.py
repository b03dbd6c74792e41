"""Regions below /admin, as the official SDK calls them."""

from decimal import Decimal

import pytest

from carts.models import Cart
from kit.values.timestamps import now
from shop.models import Country, PaymentProvider, Region, Store
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin, store
from tests.factories import carts
from tests.factories.orders import order
from tests.factories.shop import RegionFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]

PATH = "/admin/regions"


def test_one_is_made_with_all_that_the_sdk_sends(admin: Caller, store: Caller) -> None:
    body = {
        "name": "Alps",
        "currency_code": "CHF",
        "countries": ["CH", "li"],
        "automatic_taxes": True,
        "is_tax_inclusive": True,
        "payment_providers": ["pp_system_default"],
        "metadata": {"erp": 7},
    }
    made = admin.post(PATH, body).json()["region"]
    assert made.keys() == {
        *("id", "name", "currency_code", "tax_rate", "is_tax_inclusive", "automatic_taxes", "countries"),
        *("payment_providers", "metadata", "created_at", "updated_at", "deleted_at"),
    }
    assert [each["iso_2"] for each in made["countries"]] == ["li", "ch"]
    assert (made["currency_code"], made["payment_providers"]) == ("chf", [{"id": "pp_system_default"}])
    for name in ("name", "automatic_taxes", "is_tax_inclusive", "metadata"):
        assert made[name] == body[name]
    shown = store.get(f"/store/regions/{made['id']}").json()["region"]
    assert (shown["name"], shown["currency_code"], "tax_rate" in shown) == ("Alps", "chf", False)
    one = f"{PATH}/{made['id']}"
    changed = admin.post(one, {"currency_code": "eur", "countries": ["at"], "tax_rate": 7.7}).json()["region"]
    assert (changed["name"], changed["currency_code"], changed["tax_rate"]) == ("Alps", "eur", 7.7)
    assert [each["iso_2"] for each in changed["countries"]] == ["at"]
    assert Region.objects.get().tax_rate == Decimal("7.7")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"currency_code": "usd"}, "name"),
        ({"name": "Alps"}, "currency_code"),
        ({"name": "Alps", "currency_code": "zzz"}, "currency_code"),
        ({"name": " ", "currency_code": "usd"}, "name"),
        ({"name": "Alps", "currency_code": "usd", "automatic_taxes": False}, "automatic_taxes"),
        ({"name": "Alps", "currency_code": "usd", "countries": ["xx"]}, "countries"),
        ({"name": "Alps", "currency_code": "usd", "payment_providers": ["pp_none"]}, "payment_providers"),
        ({"name": "Alps", "currency_code": "usd", "currency_id": "usd"}, "currency_id"),
        ({"name": "Alps", "currency_code": "usd", "tax_rates": []}, "tax_rates"),
    ],
)
def test_bad_bodies_make_nothing(admin: Caller, body: dict[str, object], field: str) -> None:
    status, message = refusal(admin.post(PATH, body))
    assert (status, field in message) == (400, True), message
    assert not Region.objects.exists()


def test_a_country_belongs_to_one_region(admin: Caller) -> None:
    RegionFactory(name="Europe", countries=["de"])
    status, message = refusal(admin.post(PATH, {"name": "Germany", "currency_code": "eur", "countries": ["de", "at"]}))
    assert (status, message) == (400, "countries: Country with code: de already belongs to the region 'Europe'")
    assert not Country.objects.filter(pk="at", region__isnull=False).exists()


def test_a_deleted_one_frees_its_countries(admin: Caller, store: Caller) -> None:
    RegionFactory()
    gone = RegionFactory(countries=["de"])
    gone.payment_providers.add(PaymentProvider.objects.get(pk="pp_system_default"))
    assert admin.send("DELETE", f"{PATH}/{gone.pk}").json() == {"id": gone.pk, "object": "region", "deleted": True}
    assert refusal(store.get(f"/store/regions/{gone.pk}"))[0] == 404
    assert not gone.countries.exists()
    assert admin.post(PATH, {"name": gone.name, "currency_code": "eur", "countries": ["de"]}).status_code == 200


def test_one_in_use_stays(admin: Caller) -> None:
    default, of_cart = carts.default_region(), carts.selling_region(name="Asia")
    carts.cart(region_id=of_cart.pk)
    of_order = order().region
    for region, users in ((default, "stores"), (of_cart, "carts"), (of_order, "carts and orders")):
        status, message = refusal(admin.send("DELETE", f"{PATH}/{region.pk}"))
        assert (status, message) == (400, f"The region '{region.name}' is used by {users}, and cannot be deleted")
    assert not Region.objects.exclude(deleted_at=None).exists()
    Cart.objects.update(deleted_at=now())
    assert admin.send("DELETE", f"{PATH}/{of_cart.pk}").status_code == 200
    assert Store.objects.get().default_region_id == default.pk


def test_graphql_takes_the_same_body(admin: Caller) -> None:
    body = '{name: "Alps", currencyCode: "CHF", countries: ["ch"], automaticTaxes: true}'
    made = data(
        ask(admin, f"mutation {{ createRegion(input: {body}) {{ region {{ currencyCode countries {{ iso2 }} }} }} }}")
    )
    assert made["createRegion"]["region"] == {"currencyCode": "chf", "countries": [{"iso2": "ch"}]}


def test_a_batch_names_the_place_of_a_region_without_taxes(admin: Caller) -> None:
    body = {"create": [{"name": "A", "currency_code": "eur", "automatic_taxes": False}]}
    status, message = refusal(admin.post("/admin/regions/batch", body))
    assert (status, "'create[0].automatic_taxes'" in message) == (400, True)
