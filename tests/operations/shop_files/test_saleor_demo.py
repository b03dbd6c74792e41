"""A real shop: 32 products and 73 variants in two channels, with prices, stock and shipping."""

import pytest

from catalog.models import Price, Product, ProductVariant
from fulfillment.models import ShippingOption
from tests.operations.shop_file_runs import ShopFiles, everything
from tests.shared_data import SALEOR, needs

pytestmark = [needs(SALEOR), pytest.mark.django_db]


def test_it_loads_whole(files: ShopFiles):
    lines = files.run("load_shop", str(SALEOR))
    assert {line for line in lines if line.startswith(("products", "product_categories", "fulfillment_sets"))} == {
        "products: 32 created, 0 updated, 0 unchanged",
        "product_categories: 16 created, 0 updated, 0 unchanged",
        "fulfillment_sets: 1 created, 0 updated, 0 unchanged",
    }
    assert (Product.objects.count(), ProductVariant.objects.count()) == (32, 73)
    assert Price.objects.filter(price_set__shipping_option=ShippingOption.objects.get()).count() == 1


def test_it_loads_again_and_from_its_own_dump_without_a_changed_row(files: ShopFiles):
    files.run("load_shop", str(SALEOR))
    before = everything()
    again = files.run("load_shop", str(SALEOR))
    assert everything() == before
    assert all(": 0 created, 0 updated, " in line for line in again)
    dumped = files.dump("--with-credentials")
    from_dump = files.load(dumped)
    assert everything() == before
    assert from_dump == [f"{key}: 0 created, 0 updated, {len(objects)} unchanged" for key, objects in dumped.items()]
    assert files.dump("--with-credentials") == dumped
