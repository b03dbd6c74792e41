"""The counts of products that the store's lists show are kept by triggers, and are always those of the products."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.listings.count_invariants import PRODUCT_COUNT_INVARIANTS
from catalog.listings.counts import triggers
from catalog.listings.counts.queries import LINKS, PRODUCTS
from catalog.models import Product, ProductCount
from catalog.products import statuses
from catalog.products.product_editing import details
from catalog.states import ProductStatus
from giftcards.verification.verification import discrepancies
from kit.derived.count_folding import fold
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from kit.writes.insertion import insert
from shop.models import SalesChannel, Store
from tests.contract.callers import Caller, storefront
from tests.dropped_triggers import dropped
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.operations.shop_file_runs import ShopFiles
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db

Link = Product.sales_channels.through
TRIGGERS = [each for table in (PRODUCTS, LINKS) for each in triggers.of(connection.vendor, table)]


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


def default() -> SalesChannel:
    channel: SalesChannel = Store.objects.get().default_sales_channel
    return channel


def count(caller: Caller, query: str = "") -> int:
    found: int = caller.get("/store/products", f"fields=id&{query}").json()["count"]
    return found


class TestLists:
    def test_without_a_filter_no_product_is_read_for_the_count(self, store: Caller, products: list[Product]) -> None:
        with CaptureQueriesContext(connection) as asked:
            assert count(store, "limit=0") == 2
        counting = [each["sql"] for each in asked if "catalog_productcount" in each["sql"]]
        assert ['"catalog_product"' in each for each in counting] == [False]
        assert count(store) == 2

    def test_filters_with_deleted_and_several_channels_count_the_products(
        self, store: Caller, products: list[Product], elsewhere: SalesChannel
    ) -> None:
        both = storefront(publishable_key(default(), elsewhere))
        assert count(both) == 3
        ProductCount.objects.all().delete()
        assert (count(store), count(both)) == (0, 3)
        assert [count(store, query) for query in ("with_deleted=true", "is_giftcard=false", "q=product")] == [3, 2, 2]


def wrong() -> list[Any]:
    """The counts that `verify_ledger` would list."""
    return [each for invariant in PRODUCT_COUNT_INVARIANTS for each in invariant.violations()]


def put(number: int, **columns: Any) -> None:
    Product.objects.filter(pk=chosen(number).pk).update(**columns)


def chosen(number: int) -> Product:
    """A product, as if there were always enough."""
    rows = list(Product.objects.order_by("pk"))
    return rows[number % len(rows)] if rows else ProductFactory()


def channel(number: int) -> SalesChannel:
    rows = list(SalesChannel.objects.order_by("pk"))
    return rows[number % len(rows)]


def move(number: int) -> None:
    """A link of a shown product leads to another channel."""
    if link := Link.objects.filter(product__status="published", product__deleted_at=None).order_by("pk").first():
        taken = Link.objects.filter(product_id=link.product_id).values("saleschannel_id")
        if free := SalesChannel.objects.exclude(pk__in=taken).first():
            Link.objects.filter(pk=link.pk).update(saleschannel=free)


def remove(number: int) -> None:
    """A shown product goes before its links, in one transaction."""
    link = Link.objects.filter(product__status="published", product__deleted_at=None).order_by("pk").first()
    if link is not None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM catalog_product WHERE id = %s", [link.product_id])
            cursor.execute("DELETE FROM catalog_product_sales_channels WHERE product_id = %s", [link.product_id])


def link_first(number: int) -> None:
    """A link comes before its product: foreign keys are checked at the end."""
    product = Product(title="Late", handle=f"late-{Product.objects.count()}-{number}", status=ProductStatus.PUBLISHED)
    Link.objects.create(product_id=product.pk, saleschannel=channel(number))
    insert([product])


WRITERS: list[Callable[[int], Any]] = [
    lambda number: ProductFactory(status=list(ProductStatus)[number % 4]),
    lambda number: put(number, status=ProductStatus.PUBLISHED),
    lambda number: put(number, status=ProductStatus.DRAFT),
    lambda number: put(number, deleted_at=now()),
    lambda number: put(number, title="Changed"),
    lambda number: Product.objects.update(status=ProductStatus.PUBLISHED, deleted_at=None),
    lambda number: Product.objects.filter(title="Changed").update(status=ProductStatus.REJECTED),
    lambda number: details.VERBS.delete(
        actor=SYSTEM, ids=[(Product.objects.not_deleted().first() or ProductFactory()).pk]
    ),
    lambda number: chosen(number).sales_channels.add(channel(number)),
    lambda number: chosen(number).sales_channels.remove(channel(number)),
    lambda number: chosen(number).sales_channels.set([channel(number), channel(number + 1)]),
    lambda number: chosen(number).delete(),
    move,
    remove,
    link_first,
]


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_right_after_any_sequence_of_writes(seed: int, store: Caller, products: list[Product]) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same steps each time
    for _ in range(60):
        dice.choice(WRITERS)(dice.randrange(100))
        if dice.random() < 0.1:
            fold(ProductCount)
        assert wrong() == []
    shown = Product.objects.filter(status=ProductStatus.PUBLISHED, deleted_at=None, sales_channels=default())
    assert count(store) == shown.count()


@pytest.mark.parametrize("trigger", TRIGGERS, ids=lambda trigger: trigger.name)
def test_without_one_of_the_triggers_the_counts_are_wrong(trigger: Any, products: list[Product]) -> None:
    with dropped(trigger):
        assert list(discrepancies()) == [f"The trigger {trigger.name} is missing"]
        dice = random.Random(1)  # noqa: S311 - the same steps each time
        steps = 0
        while not wrong():
            steps += 1
            assert steps < 200
            dice.choice(WRITERS)(dice.randrange(100))


class TestBulk:
    def test_one_statement_of_many_products_appends_a_row_for_each_channel(self, elsewhere: SalesChannel) -> None:
        rows = [Product(title="T", handle=f"h-{number}", status=ProductStatus.PUBLISHED) for number in range(50)]
        Product.objects.bulk_create(rows)
        Link.objects.bulk_create(
            Link(product=row, saleschannel=each) for row in rows for each in (default(), elsewhere)
        )
        Product.objects.filter(pk__in=[row.pk for row in rows[:10]]).update(status=ProductStatus.DRAFT)
        numbers = sorted(ProductCount.objects.values_list("number", flat=True))
        assert sum(numbers) == 80
        if connection.vendor == "postgresql":
            assert numbers == [-10, -10, 50, 50]

    @pytest.mark.postgresql
    def test_copied_rows_are_counted(self) -> None:
        rows = [ProductFactory(sales_channels=[]) for _ in range(3)]
        columns = "product_id, saleschannel_id"
        channel_id = default().pk
        with connection.cursor() as cursor, cursor.copy(f"COPY {LINKS} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row((row.pk, channel_id))
        assert list(ProductCount.objects.values_list("sales_channel_id", "number")) == [(default().pk, 3)]

    def test_a_loaded_shop_file_is_counted(self, tmp_path: Path, store: Caller) -> None:
        files = ShopFiles(tmp_path)
        products = [
            {"title": f"Tea {number}", "status": "published", "sales_channels": [default().name]}
            for number in range(30)
        ]
        files.load({"products": products})
        assert count(store) == 30
        files.load({"products": [{**each, "status": "draft"} for each in products[:12]]})
        assert count(store) == 18
        assert list(discrepancies()) == []


class TestFolding:
    def test_prune_replaces_rows_by_their_sum(self, store: Caller, products: list[Product]) -> None:
        call_command("prune", verbosity=0)
        assert sorted(ProductCount.objects.values_list("sales_channel_id", "number")) == sorted(
            [(default().pk, 2), (SalesChannel.objects.get(name="Elsewhere").pk, 2)]
        )
        for product in products[:2]:
            statuses.set_product_status(actor=SYSTEM, product_id=product.pk, status=ProductStatus.DRAFT)
        assert fold(ProductCount) == 4
        assert ProductCount.objects.count() == 1
        assert count(store) == 0


class TestRecounting:
    def test_wrong_counts_are_reported_and_counted_again(
        self, store: Caller, products: list[Product], capsys: pytest.CaptureFixture[str]
    ) -> None:
        ProductCount.objects.filter(sales_channel_id=default().pk).delete()
        (lacking,) = discrepancies()
        assert lacking == (
            f"The count of products in sales channel {default().pk} differs from the products by 2: "
            "run recount_products"
        )
        for _ in range(2):
            call_command("recount_products")
        assert capsys.readouterr().out == "1 counts of products corrected\n0 counts of products corrected\n"
        assert list(discrepancies()) == []
        assert count(store) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.every(4)
def test_migrations_count_the_products_that_exist(store: Caller) -> None:
    ProductFactory()
    with migrated_back("catalog", "0007_search_ends"):
        pass
    assert list(discrepancies()) == []
    assert count(store) == 1
