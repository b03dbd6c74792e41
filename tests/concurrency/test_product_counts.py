"""Products are published, linked and counted again by several transactions at once: the counts are right."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection, transaction

from catalog.listings.counts.recounting import recount
from catalog.models import Product, ProductCount
from catalog.states import ProductStatus
from giftcards.verification.verification import discrepancies
from kit.derived.count_folding import fold
from shop.models import SalesChannel, Store
from tests.concurrency.crowd import at_once
from tests.concurrency.test_order_counts import do_meanwhile
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


@pytest.fixture
def draft() -> Product:
    """A draft in no channel."""
    return ProductFactory(status=ProductStatus.DRAFT, sales_channels=[])


def publish(product: Product) -> None:
    Product.objects.filter(pk=product.pk).update(status=ProductStatus.PUBLISHED)


def link(product: Product) -> None:
    product.sales_channels.add(default())


def default() -> SalesChannel:
    channel: SalesChannel = Store.objects.get().default_sales_channel
    return channel


def counted() -> int:
    return sum(ProductCount.objects.filter(sales_channel_id=default().pk).values_list("number", flat=True))


@pytest.mark.parametrize(("first", "second"), [(publish, link), (link, publish)])
def test_a_product_that_is_published_while_it_is_linked_is_counted_once(
    first: Callable[[Product], None], second: Callable[[Product], None], draft: Product
) -> None:
    """Neither sees what the other has not committed: the second waits for the product's search entry."""
    write_overlapping(first, second, draft)
    assert list(discrepancies()) == []
    assert counted() == 1


def write_overlapping(first: Callable[[Product], None], second: Callable[[Product], None], product: Product) -> None:
    """The second begins before the first has committed, and waits for it."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first(product)
            other = pool.submit(closed, lambda: second(product))
            wait_until_blocked()
        other.result()


def closed(work: Callable[[], None]) -> None:
    try:
        work()
    finally:
        connection.close()


def wait_until_blocked() -> None:
    """Until a transaction waits for that of this connection."""
    for _ in range(1000):
        with connection.cursor() as cursor:
            # Not of pg_stat_activity, which a transaction reads once
            cursor.execute("SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
            if cursor.fetchone() != (0,):
                return
        time.sleep(0.01)
    raise AssertionError("no transaction waits")


def test_writers_of_two_products_do_not_wait_for_each_other(draft: Product) -> None:
    other = ProductFactory(status=ProductStatus.DRAFT)
    with transaction.atomic():
        publish(draft)
        link(draft)
        do_meanwhile(lambda: publish(other))
        do_meanwhile(partial(fold, ProductCount))
        do_meanwhile(recount)
    assert list(discrepancies()) == []
    assert counted() == 2


def test_products_are_written_while_they_are_counted_again(draft: Product) -> None:
    other = ProductFactory()
    ProductCount.objects.all().delete()
    with transaction.atomic():
        recount()
        do_meanwhile(lambda: link(draft))
        do_meanwhile(lambda: publish(draft))
        do_meanwhile(lambda: Product.objects.filter(pk=other.pk).update(status=ProductStatus.REJECTED))
    assert list(discrepancies()) == []
    assert counted() == 1


def test_two_that_count_again_at_once_append_the_same_once() -> None:
    ProductFactory()
    ProductCount.objects.all().delete()
    at_once(lambda _: recount(), threads=8)
    assert list(discrepancies()) == []
    assert ProductCount.objects.get().number == 1


def test_after_any_writers_at_once_the_counts_are_right() -> None:
    channels = [default(), SalesChannelFactory()]
    products = [ProductFactory(status=status, sales_channels=[]) for status in ProductStatus for _ in range(2)]

    def write(number: int) -> None:
        dice = random.Random(number)  # noqa: S311 - the same steps each time
        for _ in range(40):
            product, channel = dice.choice(products), dice.choice(channels)
            match dice.randrange(5):
                case 0:
                    publish(product)
                case 1:
                    Product.objects.filter(pk=product.pk).update(status=ProductStatus.DRAFT)
                case 2:
                    product.sales_channels.add(channel)
                case 3:
                    product.sales_channels.remove(channel)
                case _:
                    fold(ProductCount)

    at_once(write, threads=6)
    assert list(discrepancies()) == []
