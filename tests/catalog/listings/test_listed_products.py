"""The listing of products is kept by triggers, and pages that are read from it are those of the products."""

import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.listings import rebuilding, triggers
from catalog.listings.counts.queries import LINKS, PRODUCTS
from catalog.listings.listing_invariants import LISTING_INVARIANTS
from catalog.models import ListedProduct, Product, ProductCollection
from catalog.states import ProductStatus
from giftcards.verification.verification import discrepancies
from kit.values.timestamps import now
from shop.models import SalesChannel
from tests.catalog.listings.test_product_counts import WRITERS, chosen, default, put
from tests.contract.callers import Caller, storefront
from tests.dropped_triggers import dropped
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.operations.shop_file_runs import ShopFiles
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db

TRIGGERS = [each for table in (PRODUCTS, LINKS) for each in triggers.of(connection.vendor, table)]
OWN_WRITERS: list[Callable[[int], Any]] = [
    *WRITERS,
    lambda number: put(number, title=f"Title {number}"),
    lambda number: put(number, created_at=now() - timedelta(days=number)),
    lambda number: put(number, collection=ProductCollection.objects.get_or_create(title="C", handle="c")[0]),
    lambda number: put(number, collection=None),
    lambda number: Product.objects.update(collection=ProductCollection.objects.first()),
    lambda number: chosen(number).sales_channels.clear(),
]


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def elsewhere() -> SalesChannel:
    return SalesChannelFactory(name="Elsewhere")


@pytest.fixture
def products(elsewhere: SalesChannel) -> list[Product]:
    """Two that the store shows, one in another channel, a draft and a deleted one."""
    return [
        ProductFactory(),
        ProductFactory(sales_channels=[default(), elsewhere]),
        ProductFactory(sales_channels=[elsewhere]),
        ProductFactory(status=ProductStatus.DRAFT),
        ProductFactory(deleted_at=now()),
    ]


def wrong() -> list[Any]:
    """What `verify_ledger` would list."""
    return [each for invariant in LISTING_INVARIANTS for each in invariant.violations()]


@pytest.mark.parametrize("seed", range(4))
def test_the_listing_is_right_after_any_sequence_of_writes(seed: int, products: list[Product]) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same steps each time
    for _ in range(80):
        dice.choice(OWN_WRITERS)(dice.randrange(100))
        assert wrong() == []


@pytest.mark.parametrize("trigger", TRIGGERS, ids=lambda trigger: trigger.name)
def test_without_one_of_the_triggers_the_listing_is_wrong(trigger: Any, products: list[Product]) -> None:
    with dropped(trigger):
        assert list(discrepancies()) == [f"The trigger {trigger.name} is missing"]
        dice = random.Random(1)  # noqa: S311 - the same steps each time
        steps = 0
        while not wrong():
            steps += 1
            assert steps < 200
            dice.choice(OWN_WRITERS)(dice.randrange(100))


ORDERS = ["id", "-id", "title", "-title", "created_at", "-created_at", "collection_id", "-collection_id"]


class TestPages:
    """Lists of one channel are read from the listing; those of two are not, and are the same."""

    @pytest.fixture
    def two_channels(self) -> Caller:
        return storefront(publishable_key(default(), SalesChannelFactory(name="Empty")))

    @pytest.fixture
    def many(self, elsewhere: SalesChannel) -> list[Product]:
        """Of few titles, moments, collections and categories, so that ids decide the order."""
        dice = random.Random(1)  # noqa: S311 - the same products each time
        collections = [ProductCollection.objects.create(title=f"C{number}", handle=f"c{number}") for number in range(2)]
        categories = [CategoryFactory(handle=f"g{number}") for number in range(2)]
        moment = now()
        products = [
            ProductFactory(
                title=dice.choice(["Tee", "tea", "Äpfel", "Zucker", "apple"]),
                created_at=moment - timedelta(days=dice.randrange(3)),
                collection=dice.choice([*collections, None]),
                status=dice.choice([ProductStatus.PUBLISHED] * 4 + [ProductStatus.DRAFT]),
                sales_channels=dice.choice([[default()], [default(), elsewhere], [elsewhere]]),
            )
            for _ in range(40)
        ]
        for product in products:
            product.categories.set(dice.sample(categories, dice.randrange(3)))
        return products

    @pytest.mark.parametrize("order", ORDERS)
    def test_in_each_order_at_each_offset(
        self, order: str, store: Caller, two_channels: Caller, many: list[Product]
    ) -> None:
        some = ProductCollection.objects.get(handle="c0").pk
        middle = sorted(product.pk for product in many)[20]
        (group, other) = [CategoryFactory._meta.model.objects.get(handle=handle).pk for handle in ("g0", "g1")]
        for condition in (
            "",
            f"collection_id={some}",
            "collection_id=null",
            f"id[$gt]={middle}",
            f"id[$ne]={middle}",
            f"category_id={group}",
            f"category_id[]={group}&id[$gt]={middle}",
            f"category_id={group}&title[]=tea&title[]=Tee",
            f"category_id[]={group}&category_id[]={other}&title[]=tea&title[]=Tee",
            f"collection_id={some}&is_giftcard=false",
            "created_at[$gt]=2020-01-01",
            "q=te",
        ):
            for offset in (0, 3, 11):
                query = f"fields=id,title,created_at&limit=5&order={order}&offset={offset}&{condition}"
                listed = store.get("/store/products", query)
                assert listed.status_code == 200
                assert listed.json() == two_channels.get("/store/products", query).json(), query
            assert listed.json()["count"] > 0

    def test_a_page_without_a_filter_skips_no_products(self, store: Caller, many: list[Product]) -> None:
        with CaptureQueriesContext(connection) as asked:
            assert store.get("/store/products", "fields=id&order=title&offset=5&limit=5").json()["products"]
        (page,) = [each["sql"] for each in asked if 'FROM "catalog_product"' in each["sql"]]
        assert '"catalog_product_sales_channels"' not in page
        assert page.count("LIMIT") == 1
        assert 'FROM "catalog_listedproduct"' in page.partition("LIMIT")[0]


class TestLoading:
    @pytest.mark.postgresql
    def test_copied_links_are_listed(self) -> None:
        rows = [ProductFactory(sales_channels=[]) for _ in range(3)]
        channel_id = default().pk
        with connection.cursor() as cursor, cursor.copy(f"COPY {LINKS} (product_id, saleschannel_id) FROM STDIN") as to:
            for row in rows:
                to.write_row((row.pk, channel_id))
        assert set(ListedProduct.objects.values_list("id", "title")) == {(row.pk, row.title) for row in rows}
        assert wrong() == []

    def test_a_loaded_shop_file_is_listed(self, tmp_path: Path) -> None:
        files = ShopFiles(tmp_path)
        row = {"status": "published", "sales_channels": [default().name]}
        files.load({"products": [{"title": f"Tea {number}", **row} for number in range(30)]})
        assert ListedProduct.objects.count() == 30
        files.load({"products": [{"title": f"Tea {number}", **row, "status": "draft"} for number in range(12)]})
        assert ListedProduct.objects.count() == 18
        assert wrong() == []


class TestRepair:
    def test_wrong_rows_are_reported_and_made_right(
        self, products: list[Product], elsewhere: SalesChannel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One is missing, one has another title, one is left over of a product that is gone."""
        first, second = products[:2]
        ListedProduct.objects.filter(id=first.pk).delete()
        ListedProduct.objects.filter(id=second.pk, sales_channel_id=elsewhere.pk).update(title="Old")
        ListedProduct.objects.create(sales_channel_id=elsewhere.pk, id="prod_gone", title="Gone", created_at=now())
        places = [(first.pk, default().pk), (second.pk, elsewhere.pk), ("prod_gone", elsewhere.pk)]
        assert sorted(discrepancies()) == sorted(
            f"The listing of product {product} in sales channel {channel} differs from the product: run rebuild_search"
            for product, channel in places
        )
        call_command("rebuild_search", verbosity=0)
        assert list(discrepancies()) == []

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.every(4)
    def test_migrations_list_the_products_that_exist(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rebuilding, "BATCH", 2)
        for _ in range(5):
            ProductFactory()
        with migrated_back("catalog", "0012_stale_stock"):
            pass
        assert wrong() == []
        assert ListedProduct.objects.count() == 5
