"""The list of products on the admin site: what it shows of their variants, and the filter for low stock."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryItem, InventoryLevel, Product, ProductVariant
from kit.values.timestamps import now
from tests.factories.inventory import ReservationFactory, StockLocationFactory, stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ImageFactory, ProductFactory, ProductTagFactory, VariantFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db

LIST = "/admin/catalog/product/"


def page(client: Client, query: str = "") -> Any:
    answer = client.get(f"{LIST}{query}")
    assert answer.status_code == 200
    return answer.context["cl"]


def summary(product: Product, client: Client | None = None) -> tuple[list[str], int | None, list[str]]:
    (row,) = (row for row in page(client or superuser()).result_list if row == product)
    return row.summary.price_range, row.summary.stock, row.summary.channels


def titles(query: str, client: Client | None = None) -> set[str]:
    return {row.title for row in page(client or superuser(), query).result_list}


def test_prices_are_the_lowest_and_the_highest_of_each_currency() -> None:
    product = ProductFactory()
    small, large, gone = (VariantFactory(product=product, sku=sku) for sku in "sml")
    for variant, amount in ((small, 10), (large, 12.5), (gone, 99)):
        price(variant, amount)
    price(small, 9, "eur")
    price(small, 1, price_list=PriceListFactory())
    price(small, 2, region=RegionFactory())
    price(small, 3, min_quantity=10)
    ProductVariant.objects.filter(pk=gone.pk).update(deleted_at=now())
    assert summary(product)[0] == ["9,00\u00a0€", "$10.00 - $12.50"]


def test_stock_is_what_is_available_at_all_locations() -> None:
    product = ProductFactory()
    small, large = VariantFactory(product=product, sku="s"), VariantFactory(product=product, sku="l")
    level = stock(small, 5)
    stock(small, 4, location=StockLocationFactory())
    stock(large, 1)
    ReservationFactory(level=level, quantity=2)
    assert summary(product)[1] == 8


def test_what_several_variants_share_counts_once_and_what_is_not_counted_has_none() -> None:
    product, other = ProductFactory(), ProductFactory()
    stock(VariantFactory(product=product), 5)
    item = InventoryItem.objects.get()
    VariantFactory(product=product, sku="two").inventory_items.add(item)
    VariantFactory(product=other, manage_inventory=False)
    assert (summary(product)[1], summary(other)[1]) == (5, None)


def test_channels_are_listed_by_name_without_deleted_ones() -> None:
    product = ProductFactory()
    product.sales_channels.set([SalesChannelFactory(name=name) for name in ("Web", "Till")])
    product.sales_channels.add(SalesChannelFactory(name="Gone", deleted_at=now()))
    assert summary(product)[2] == ["Till", "Web"]


def test_a_page_takes_twelve_statements_at_most_whatever_it_lists() -> None:
    client = superuser()

    def statements(products: int) -> int:
        for _ in range(products):
            for variant in (VariantFactory(product=ProductFactory()) for _ in range(2)):
                price(variant, 10)
                stock(variant, 1)
        page(client)
        with CaptureQueriesContext(connection) as captured:
            page(client)
        return len(captured)

    few = statements(1)
    assert statements(6) == few
    assert few <= 12


def test_products_are_found_by_tag() -> None:
    tag = ProductTagFactory()
    ProductFactory(title="Tea").tags.add(tag)
    ProductFactory(title="Mug").tags.add(ProductTagFactory())
    assert titles(f"?tags__id__exact={tag.pk}") == {"Tea"}


def test_the_small_copies_of_pictures_are_loaded() -> None:
    digest = "ab" * 32
    product = ProductFactory(thumbnail=f"/media/{digest}.webp")
    ImageFactory(product=product, url=f"/media/{digest}.webp")
    ProductFactory(thumbnail="https://images.invalid/pot.webp")
    client = superuser()
    listed = client.get(LIST).content.decode()
    assert set(re.findall('<img src="([^"]+)"', listed)) == {
        f"/media/{digest}-160.webp",
        "https://images.invalid/pot.webp",
    }
    shown = client.get(f"{LIST}{product.pk}/change/").content.decode()
    assert re.findall('<img src="(/media/[^"]+)"', shown) == [f"/media/{digest}-480.webp"]


def test_users_see_prices_and_stock_by_their_permissions() -> None:
    product = ProductFactory()
    variant = VariantFactory(product=product)
    price(variant, 10)
    stock(variant, 1)
    client = visitor("catalog.view_product")
    assert summary(product, client)[:2] == ([], None)
    assert not {"price_range", "stock"} & {*page(client).list_display}
    assert {"price_range", "stock"} <= {*page(superuser()).list_display}


class TestLowStock:
    @pytest.fixture(autouse=True)
    def _threshold(self, settings: Any) -> None:
        settings.LOW_STOCK = 3

    def stocked(self, title: str, units: int, **columns: Any) -> InventoryLevel:
        return stock(VariantFactory(product=ProductFactory(title=title), sku=title, **columns), units)

    def test_products_of_which_little_is_left_are_found(self) -> None:
        self.stocked("Tea", 4)
        self.stocked("Mug", 3)
        ReservationFactory(level=self.stocked("Pot", 9), quantity=8)
        assert titles("?stock=low") == {"Mug", "Pot"}
        assert titles("") == {"Tea", "Mug", "Pot"}

    def test_products_of_which_nothing_is_left_are_found(self) -> None:
        self.stocked("Tea", 1)
        self.stocked("Mug", 0)
        ReservationFactory(level=self.stocked("Pot", 9), quantity=9)
        assert titles("?stock=out") == {"Mug", "Pot"}

    def test_what_is_not_sold_from_stock_is_not(self) -> None:
        self.stocked("Tea", 1, manage_inventory=False)
        ProductVariant.objects.filter(pk=self.stocked("Mug", 1).inventory_item.variants.get().pk).update(
            deleted_at=now()
        )
        InventoryItem.objects.filter(pk=self.stocked("Pot", 1).inventory_item_id).update(deleted_at=now())
        assert titles("?stock=low") == set()

    def test_it_is_for_users_who_may_see_stock(self) -> None:
        self.stocked("Tea", 1)
        self.stocked("Mug", 9)
        assert titles("?stock=low", visitor("catalog.view_product", "catalog.view_inventorylevel")) == {"Tea"}
        assert titles("?stock=low", visitor("catalog.view_product")) == {"Tea", "Mug"}
