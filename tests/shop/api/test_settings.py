"""The store, its sales channels, currencies and locales below /admin."""

from typing import Any

import pytest

from catalog.models import Price, PriceSet
from kit.domain.actor import SYSTEM
from shop.models import Currency, SalesChannel, Store
from shop.stores import sales_channels
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories import carts
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.products import ProductFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]


def the_store(admin: Caller) -> dict[str, Any]:
    (found,) = admin.get("/admin/stores").json()["stores"]
    return dict(found)


class TestStore:
    def test_its_currencies_are_those_of_regions_and_prices(self, admin: Caller) -> None:
        region = carts.default_region()
        Price.objects.create(price_set=PriceSet.objects.create(), currency_id="jpy", amount=100)
        Currency.objects.filter(pk="jpy").update(is_tax_inclusive=True)
        shown = the_store(admin)
        assert shown.keys() == {
            *("id", "name", "supported_currencies", "supported_locales", "default_sales_channel_id"),
            *("default_region_id", "default_location_id", "metadata", "created_at", "updated_at"),
        }
        assert (shown["default_region_id"], shown["supported_locales"]) == (region.pk, [])
        currencies = shown["supported_currencies"]
        assert [(each["currency_code"], each["is_default"], each["is_tax_inclusive"]) for each in currencies] == [
            ("jpy", False, True),
            (region.currency_id, True, region.currency.is_tax_inclusive),
        ]
        assert currencies[0].keys() == {
            *("id", "currency_code", "store_id", "is_default", "is_tax_inclusive", "currency"),
            *("created_at", "updated_at", "deleted_at"),
        }
        assert currencies[0]["currency"] == admin.get("/admin/currencies/jpy").json()["currency"]

    def test_what_is_sent_back_is_accepted_and_other_currencies_are_not(self, admin: Caller) -> None:
        carts.default_region()
        shown = the_store(admin)
        path = f"/admin/stores/{shown['id']}"
        present = [
            {name: each[name] for name in ("currency_code", "is_default")} for each in shown["supported_currencies"]
        ]
        as_read = {"supported_currencies": shown["supported_currencies"]}  # as the dashboard sends it
        assert admin.post(path, as_read).status_code == 200
        same = {"supported_currencies": present, "supported_locales": [], "metadata": {"erp": 7}}
        assert admin.post(path, same).json()["store"]["metadata"] == {"erp": 7}
        for wrong in (
            [],
            [*present, {"currency_code": "jpy"}],
            [{**present[0], "is_default": not present[0]["is_default"]}],
            [{**present[0], "is_tax_inclusive": True}],
        ):
            status, message = refusal(admin.post(path, {"supported_currencies": wrong, "name": "Other"}))
            assert (status, "follows from regions and prices" in message) == (400, True)
        locales = [{"locale_code": "de-DE"}]
        assert "supported_locales" in refusal(admin.post(path, {"supported_locales": locales}))[1]
        assert "default_location_id" in refusal(admin.post(path, {"default_location_id": "sloc_1"}))[1]
        assert admin.post(path, {"default_location_id": None}).status_code == 200
        assert Store.objects.get().name == shown["name"]

    def test_its_name_and_defaults_change(self, admin: Caller) -> None:
        region, channel = carts.default_region(), SalesChannelFactory()
        path = f"/admin/stores/{the_store(admin)['id']}"
        body = {"name": "Tea shop", "default_sales_channel_id": channel.pk, "default_region_id": region.pk}
        changed = admin.post(path, body).json()["store"]
        assert {name: changed[name] for name in body} == body
        assert refusal(admin.post(path, {"default_region_id": None})) == (400, "Field 'default_region' is required")
        mutation = f'mutation {{ updateStore(id: "{changed["id"]}", input: {{name: "Teas"}}) {{ store {{ name }} }} }}'
        assert data(ask(admin, mutation))["updateStore"] == {"store": {"name": "Teas"}}
        for method, where in (("POST", "/admin/stores"), ("DELETE", path)):
            assert admin.send(method, where, b"{}").status_code == 405


class TestSalesChannels:
    PATH = "/admin/sales-channels"

    def test_one_is_made_changed_and_deleted(self, admin: Caller) -> None:
        body = {"name": "Market", "description": "Saturdays", "is_disabled": True, "metadata": {"a": 1}}
        made = admin.post(self.PATH, body).json()["sales_channel"]
        assert made.keys() == {"id", *body, "created_at", "updated_at", "deleted_at"}
        assert {name: made[name] for name in body} == body
        one = f"{self.PATH}/{made['id']}"
        changed = admin.post(one, {"is_disabled": False, "metadata": {"b": 2}}).json()["sales_channel"]
        assert (changed["is_disabled"], changed["metadata"]) == (False, {"a": 1, "b": 2})
        assert admin.post(one, {"description": None}).json()["sales_channel"]["description"] == ""
        assert admin.post(self.PATH, {"name": "Market"}).status_code == 422
        assert admin.send("DELETE", one).json() == {"id": made["id"], "object": "sales_channel", "deleted": True}
        assert refusal(admin.get(one))[0] == 404

    def test_one_in_use_stays(self, admin: Caller) -> None:
        default = Store.objects.get().default_sales_channel
        with_key, with_product = SalesChannelFactory(), SalesChannelFactory()
        publishable_key(with_key)
        ProductFactory().sales_channels.set([with_product])
        for channel, users in ((default, "stores"), (with_key, "API keys"), (with_product, "products")):
            status, message = refusal(admin.send("DELETE", f"{self.PATH}/{channel.pk}"))
            assert (status, users in message) == (400, True), message
        assert not SalesChannel.objects.exclude(deleted_at=None).exists()

    def test_deleting_many_takes_as_many_statements_as_one(
        self, admin: Caller, django_assert_max_num_queries: Any
    ) -> None:
        ids = [SalesChannelFactory().pk for _ in range(20)]
        with django_assert_max_num_queries(6):
            sales_channels.VERBS.delete(actor=SYSTEM, ids=ids)

    def test_products_are_put_in_and_taken_out(self, admin: Caller) -> None:
        channel = SalesChannelFactory()
        inside, outside = ProductFactory(), ProductFactory()
        inside.sales_channels.set([channel])
        others = set(outside.sales_channels.values_list("pk", flat=True))
        path = f"{self.PATH}/{channel.pk}/products"
        answer = admin.post(path, {"add": [outside.pk], "remove": [inside.pk]}).json()["sales_channel"]
        assert answer["id"] == channel.pk
        assert list(channel.products.all()) == [outside]
        assert set(outside.sales_channels.values_list("pk", flat=True)) == others | {channel.pk}
        status, message = refusal(admin.post(path, {"add": ["prod_none"]}))
        assert (status, message) == (400, "Product with id: prod_none was not found, given by field 'add'")
        assert refusal(admin.post(f"{self.PATH}/sc_none/products", {"add": [inside.pk]}))[0] == 404
        limited = importer(secret_key(UserFactory(is_superuser=True), permissions=["shop.change_saleschannel"]))
        assert limited.post(path, {"add": [inside.pk]}).status_code == 403

    def test_lists_are_filtered_by_key(self, admin: Caller) -> None:
        channel = SalesChannelFactory()
        key = publishable_key(channel).key
        listed = admin.get(self.PATH, f"publishable_key_id={key.pk}").json()
        assert [each["id"] for each in listed["sales_channels"]] == [channel.pk]


def test_currencies_are_those_of_the_store_routes(admin: Caller) -> None:
    listed = admin.get("/admin/currencies", "code[]=EUR&code[]=jpy&order=code").json()["currencies"]
    assert [(each["code"], each["decimal_digits"]) for each in listed] == [("eur", 2), ("jpy", 0)]
    assert admin.get("/admin/currencies/EUR").json()["currency"] == listed[0]
    assert refusal(admin.get("/admin/currencies/zzz"))[0] == 404


def test_the_shop_has_one_locale(admin: Caller) -> None:
    english = {"code": "en", "name": "English", "created_at": None, "updated_at": None, "deleted_at": None}
    listed = admin.get("/admin/locales", "limit=10&order=-name").json()
    assert listed == {"locales": [english], "count": 1, "estimate_count": 1, "offset": 0, "limit": 10}
    assert admin.get("/admin/locales/en").json() == {"locale": english}
    assert refusal(admin.get("/admin/locales/de")) == (404, "Locale with id: de was not found")
    assert data(ask(admin, '{ adminLocale(code: "en") { name } }')) == {"adminLocale": {"name": "English"}}


def test_a_region_without_prices_supports_its_currency(admin: Caller) -> None:
    RegionFactory(currency_id="eur")
    assert [each["currency_code"] for each in the_store(admin)["supported_currencies"]] == ["eur"]
