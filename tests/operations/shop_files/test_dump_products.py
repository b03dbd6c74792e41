import copy
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import (
    InventoryItem,
    PriceList,
    PriceSet,
    Product,
    ProductCategory,
    ProductCollection,
    ProductTag,
    ProductType,
    ProductVariant,
    StockMovement,
)
from catalog.stock import stock_triggers
from fulfillment.models import FulfillmentSet, ShippingOptionType
from kit.values.timestamps import now
from shop.models import Region
from tests.giftcards.books import in_place
from tests.operations.shop_file_runs import ShopFiles, everything
from tests.operations.tea_shop import SALE, SENCHA, SHIPPING, shop

pytestmark = pytest.mark.django_db

TABLES = (
    FulfillmentSet, ShippingOptionType, Product, PriceList, PriceSet, InventoryItem,
    ProductCategory, ProductCollection, ProductTag, ProductType,
)  # fmt: skip


def without_dates_and_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_dates_and_ids(one) for key, one in value.items() if key not in ("id", "created_at")}
    return [without_dates_and_ids(one) for one in value] if isinstance(value, list) else value


def test_a_dump_says_what_was_loaded(files: ShopFiles):
    files.load(shop())
    content = without_dates_and_ids(files.dump())
    product = content["products"][0]
    assert {name: value for name, value in product.items() if name in SENCHA and name not in ("variants", "tags")} == {
        **{name: value for name, value in SENCHA.items() if name not in ("variants", "tags")},
        "sales_channels": ["App", "Web"],
    }
    assert (product["handle"], product["tags"]) == ("sencha-asamushi", ["new", "organic"])
    green = product["variants"][0]
    assert green["prices"] == [
        {"currency_code": "eur", "amount": 9.5},
        {"currency_code": "eur", "amount": 8, "min_quantity": 10, "max_quantity": 99},
        {"currency_code": "usd", "amount": 11, "region": "America"},
        {
            "currency_code": "usd",
            "amount": 5,
            "rules": [{"attribute": "customer.groups.id", "operator": "eq", "value": "staff"}],
        },
    ]
    assert (green["inventory"], green["options"]) == ({"Dock": 12, "Attic": 0}, {"Size": "50 g", "Tin": "Green"})
    assert content["price_lists"][0]["prices"] == SALE["prices"]
    zone = content["fulfillment_sets"][0]["service_zones"][0]
    assert zone["geo_zones"][1] == {
        "type": "province", "country_code": "us", "province_code": "us-ny", "city": None, "postal_expression": None,
    }  # fmt: skip
    assert zone["shipping_options"][0] == SHIPPING["service_zones"][0]["shipping_options"][0]


def test_another_shop_becomes_the_same(files: ShopFiles):
    files.load(shop())
    content = files.dump()
    in_place(stock_triggers.remove)
    StockMovement.objects.all().delete()
    for table in TABLES:
        table._default_manager.all().delete()
    in_place(stock_triggers.install)
    assert files.dump()["products"] == []
    files.load(content)
    assert files.dump() == content


def test_what_is_deleted_is_neither_dumped_nor_changed_by_a_load(files: ShopFiles):
    files.load(shop())
    ProductVariant.objects.filter(sku="SENCHA-50-B").update(deleted_at=now())
    ProductTag.objects.filter(value="new").update(deleted_at=now())
    ProductCollection.objects.update(deleted_at=now())
    Region.objects.filter(name="America").update(deleted_at=now())
    Product.objects.filter(handle="cup").update(deleted_at=now())
    before = everything()
    content = files.dump()
    (product,) = content["products"]
    assert [variant["sku"] for variant in product["variants"]] == ["SENCHA-50"]
    assert product["tags"] == ["organic"]
    assert "collection" not in product
    assert content["product_collections"] == []
    files.load(content)
    assert everything() == before


def test_statements_follow_batches_and_not_products(files: ShopFiles):
    def statements(count: int) -> int:
        products = [copy.deepcopy({**SENCHA, "handle": f"sencha-{number}", "variants": []}) for number in range(count)]
        for number, product in enumerate(products):
            product["variants"] = [
                {
                    "title": "A",
                    "sku": f"A-{number}",
                    "options": {"Size": "50 g", "Tin": "Green"},
                    "inventory": {"Dock": 1},
                }
            ]
        files.load(shop(products=products, price_lists=[]))
        with CaptureQueriesContext(connection) as captured:
            files.dump()
        return len(captured)

    assert statements(2) == statements(200)
