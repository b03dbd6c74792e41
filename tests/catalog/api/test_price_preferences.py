"""Price preferences below /admin, as the official SDK calls them."""

import pytest

from shop.models import Currency, Region
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
PATH = "/admin/price-preferences"


def test_it_is_the_flag_of_a_currency(admin: Caller) -> None:
    body = {"attribute": "currency_code", "value": "EUR", "is_tax_inclusive": True}
    made = admin.post(PATH, body).json()["price_preference"]
    assert made == {**made, **body, "value": "eur", "id": "eur", "deleted_at": None}
    assert made.keys() == {
        *("id", "attribute", "value", "is_tax_inclusive", "created_at", "updated_at", "deleted_at"),
    }
    assert Currency.objects.get(pk="eur").is_tax_inclusive
    one = f"{PATH}/eur"
    assert admin.get(one).json()["price_preference"] == made
    changed = admin.post(one, {"is_tax_inclusive": False})
    assert changed.json()["price_preference"]["is_tax_inclusive"] is False
    admin.post(PATH, body)
    assert admin.send("DELETE", one).json() == {"id": "eur", "object": "price_preference", "deleted": True}
    assert not Currency.objects.get(pk="eur").is_tax_inclusive
    assert admin.get(one).json()["price_preference"]["is_tax_inclusive"] is False


def test_it_has_a_version(admin: Caller) -> None:
    one = f"{PATH}/eur"
    tag = admin.get(one, "fields=value").headers["ETag"]
    assert tag == admin.get(one).headers["ETag"]
    admin.post(one, {"is_tax_inclusive": True}, If_Match=tag)
    for method, body in (("POST", {"is_tax_inclusive": False}), ("DELETE", b"")):
        assert admin.send(method, one, body, If_Match=tag).status_code == 409
    assert admin.send("DELETE", one, If_Match=admin.get(one).headers["ETag"]).status_code == 200
    region = RegionFactory()
    twice = [{"id": key, "is_tax_inclusive": True} for key in (region.pk, "eur", "eur")]
    assert (
        "update[2]: Currency with id: eur is named twice" in refusal(admin.post(f"{PATH}/batch", {"update": twice}))[1]
    )


def test_it_is_the_flag_of_a_region(admin: Caller) -> None:
    region, gone = RegionFactory(), RegionFactory()
    body = {"attribute": "region_id", "value": region.pk, "is_tax_inclusive": True}
    assert admin.post(PATH, body).json()["price_preference"]["id"] == f"{region.pk}"
    assert Region.objects.get(pk=region.pk).is_tax_inclusive
    admin.post(PATH, {"attribute": "region_id", "value": region.pk})
    assert not Region.objects.get(pk=region.pk).is_tax_inclusive
    listed = admin.get(PATH, f"attribute=region_id&value={region.pk}").json()
    assert (listed["count"], listed["price_preferences"][0]["value"]) == (1, region.pk)
    Region.objects.filter(pk=gone.pk).update(deleted_at=gone.created_at)
    assert refusal(admin.get(f"{PATH}/{gone.pk}"))[0] == 404
    assert admin.get(PATH, f"value={gone.pk}&with_deleted=true").json()["count"] == 1


@pytest.mark.parametrize(
    ("path", "body", "status", "word"),
    [
        (PATH, {"attribute": "currency_code", "value": "xxx"}, 400, "There is no currency_code 'xxx'"),
        (PATH, {"attribute": "region_id", "value": "eur"}, 400, "There is no region_id 'eur'"),
        (PATH, {"attribute": "province", "value": "eur"}, 400, "attribute"),
        (f"{PATH}/eur", {"attribute": "region_id", "value": "eur"}, 400, "attribute, value"),
        (f"{PATH}/xxx", {"is_tax_inclusive": True}, 404, "Price preference with id: xxx was not found"),
    ],
)
def test_others_are_refused(admin: Caller, path: str, body: dict[str, object], status: int, word: str) -> None:
    refused = refusal(admin.post(path, {"is_tax_inclusive": True, **body}))
    assert (refused[0], word in refused[1]) == (status, True), refused
    assert not Currency.objects.filter(is_tax_inclusive=True).exists()


def test_a_currency_needs_the_permission_to_change_currencies() -> None:
    keeper = importer(secret_key(UserFactory(permissions=["shop.change_region"])))
    region = RegionFactory()
    assert keeper.post(PATH, {"attribute": "region_id", "value": region.pk}).status_code == 200
    refused = refusal(keeper.post(PATH, {"attribute": "currency_code", "value": "eur", "is_tax_inclusive": True}))
    assert refused == (403, "The permission 'shop.change_currency' is required")


def test_by_graphql(admin: Caller) -> None:
    make = """mutation { createPricePreference(
      input: { attribute: "currency_code", value: "eur", isTaxInclusive: true }
    ) { pricePreference { id isTaxInclusive } } }"""
    made = data(ask(admin, make))["createPricePreference"]["pricePreference"]
    assert made == {"id": "eur", "isTaxInclusive": True}
    listed = data(ask(admin, '{ pricePreferences(q: "EUR") { pricePreferences { id isTaxInclusive } count } }'))
    assert listed["pricePreferences"] == {"pricePreferences": [made], "count": 1}
    remove = 'mutation { deletePricePreference(id: "eur") { deleted } }'
    assert data(ask(admin, remove)) == {"deletePricePreference": {"deleted": True}}
    assert not Currency.objects.get(pk="eur").is_tax_inclusive
