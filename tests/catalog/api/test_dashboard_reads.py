"""What the official dashboard asks for beside the defaults, and the empty texts that its forms send."""

from urllib.parse import quote

import pytest

from catalog.models import ProductCategory, ProductCollection
from tests.catalog.api.test_products import PATH, shirt
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.factories.inventory import InventoryLevelFactory
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory

pytestmark = pytest.mark.django_db

__all__ = ["admin"]


def test_an_option_has_its_product_and_values_their_ranks(admin: Caller) -> None:
    product = admin.post(PATH, shirt()).json()["product"]
    fields = "title,products.id,values.value,values.rank"
    (option,) = admin.get("/admin/product-options", f"fields={fields}").json()["product_options"]
    values = sorted((value["rank"], value["value"]) for value in option["values"])
    assert (option["products"], values) == ([{"id": product["id"]}], [(0, "S"), (1, "L")])
    default = admin.get(f"/admin/product-options/{product['options'][0]['id']}", "fields=-products").json()
    assert "rank" not in default["product_option"]["values"][0]


def test_a_variant_has_the_rules_of_its_prices_and_its_pictures_their_variants(admin: Caller) -> None:
    body = shirt()
    body["variants"][0]["prices"][0]["rules"] = {"region_id": "reg_1"}
    product = admin.post(PATH, body).json()["product"]
    one, picture = product["variants"][0]["id"], product["images"][0]["id"]
    admin.post(f"{PATH}/{product['id']}/images/{picture}/variants/batch", {"add": [one]})
    fields = quote("sku,prices.currency_code,prices.price_rules.attribute,prices.price_rules.value,images.variants.id")
    variant = admin.get(f"{PATH}/{product['id']}/variants/{one}", f"fields={fields}").json()["variant"]
    rules = {
        (each["currency_code"], rule["attribute"], rule["value"])
        for each in variant["prices"]
        for rule in each["price_rules"]
    }
    assert rules == {("eur", "region_id", "reg_1")}
    assert [[shown["id"] for shown in each["variants"]] for each in variant["images"]] == [[one]]


def test_an_inventory_item_has_its_variants(admin: Caller) -> None:
    product = admin.post(PATH, shirt()).json()["product"]
    variant = product["variants"][0]
    (item,) = admin.get("/admin/inventory-items", f"sku={variant['sku']}&fields=id").json()["inventory_items"]
    fields = quote("*variants,variants.product.title,variants.options.value")
    found = admin.get(f"/admin/inventory-items/{item['id']}", f"fields={fields}").json()["inventory_item"]["variants"]
    seen = [(each["id"], each["product"]["title"], [value["value"] for value in each["options"]]) for each in found]
    assert seen == [(variant["id"], "Shirt 1", ["L"])]


def test_a_stock_level_has_its_location(admin: Caller) -> None:
    level = InventoryLevelFactory()
    fields = quote("+stock_locations.id,+stock_locations.name")
    path = f"/admin/inventory-items/{level.inventory_item_id}/location-levels"
    (found,) = admin.get(path, f"fields={fields}").json()["inventory_levels"]
    assert found["stock_locations"] == [{"id": level.location_id, "name": level.location.name}]
    assert found["id"] == level.pk


def test_a_price_of_a_list_has_its_variant_and_rules(admin: Caller) -> None:
    variant, sale = VariantFactory(), PriceListFactory()
    price(variant, "9", price_list=sale)
    fields = quote("*prices,prices.price_set.variant.id,prices.price_rules.attribute,prices.price_rules.value")
    (found,) = admin.get(f"/admin/price-lists/{sale.pk}", f"fields={fields}").json()["price_list"]["prices"]
    assert (found["amount"], found["price_set"]["variant"], found["price_rules"]) == (9, {"id": variant.pk}, [])


def test_an_empty_handle_follows_from_the_title(admin: Caller) -> None:
    assert admin.post(PATH, {**shirt(), "handle": ""}).json()["product"]["handle"] == "shirt-1"
    assert admin.post("/admin/collections", {"title": "Green Tea", "handle": ""}).status_code == 200
    assert admin.post("/admin/product-categories", {"name": "Loose Tea", "handle": ""}).status_code == 200
    assert (ProductCollection.objects.get().handle, ProductCategory.objects.get().handle) == ("green-tea", "loose-tea")
    for path, stored in (("products", ProductFactory()), ("collections", ProductCollection.objects.get())):
        refused = admin.post(f"/admin/{path}/{stored.pk}", {"handle": ""})
        assert (refused.status_code, "handle" in refused.json()["message"]) == (400, True)
