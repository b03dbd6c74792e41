"""Several transactions at once change and tag products: the listing by tag is right."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from catalog.listings.group_rebuilding import rebuild
from catalog.models import ListedTag, Product, ProductTag
from catalog.states import ProductStatus
from giftcards.verification.verification import discrepancies
from kit.database.locking import lock_rows
from tests.concurrency.crowd import at_once
from tests.concurrency.test_listed_products import unlink, withdraw
from tests.concurrency.test_order_counts import do_meanwhile
from tests.concurrency.test_product_counts import closed, default, link, publish, wait_until_blocked, write_overlapping
from tests.factories.products import ProductFactory, ProductTagFactory

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def add_tag(product: Product) -> None:
    product.tags.add(ProductTag.objects.get())


def remove_tag(product: Product) -> None:
    product.tags.remove(ProductTag.objects.get())


@pytest.mark.parametrize(
    ("is_tagged", "first", "second", "rows"),
    [
        (False, publish, add_tag, 1),
        (False, add_tag, publish, 1),
        (False, link, add_tag, 1),
        (False, add_tag, link, 1),
        (True, publish, remove_tag, 0),
        (True, remove_tag, publish, 0),
        (True, link, remove_tag, 0),
        (True, remove_tag, link, 0),
        (True, withdraw, remove_tag, 0),
        (False, withdraw, add_tag, 0),
        (False, add_tag, withdraw, 0),
        (False, unlink, add_tag, 0),
        (False, add_tag, unlink, 0),
    ],
)
def test_of_two_at_once_the_second_lists_what_both_have_committed(
    is_tagged: bool, first: Callable[[Product], None], second: Callable[[Product], None], rows: int
) -> None:
    """Neither sees what the other has not committed: the second waits for the product's search entry."""
    status = ProductStatus.DRAFT if publish in (first, second) else ProductStatus.PUBLISHED
    product = ProductFactory(status=status, sales_channels=[] if link in (first, second) else [default()])
    tag = ProductTagFactory()
    if is_tagged:
        product.tags.add(tag)
    write_overlapping(first, transaction.atomic(second), product)
    assert list(discrepancies()) == []
    assert ListedTag.objects.count() == rows


def test_writers_of_two_products_do_not_wait_for_each_other() -> None:
    tag, product, other = ProductTagFactory(), ProductFactory(), ProductFactory()
    with transaction.atomic():
        product.tags.add(tag)
        do_meanwhile(lambda: other.tags.add(tag))
        do_meanwhile(lambda: other.tags.remove(tag))
    assert list(discrepancies()) == []


def test_a_rebuild_waits_for_writers_of_several_products_and_they_do_not_wait_for_it() -> None:
    """They have locked these products, as load_shop does, and write them in an order of their own."""
    first, second = ProductFactory(), ProductFactory()
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_rows(Product.objects.all())
            withdraw(second)
            other = pool.submit(closed, lambda: list(rebuild()))
            wait_until_blocked()
            withdraw(first)
        other.result()
    assert list(discrepancies()) == []


def test_after_any_writers_at_once_the_listing_is_right() -> None:
    ProductTagFactory()
    products = [ProductFactory(status=status) for status in ProductStatus for _ in range(2)]
    writers: list[Callable[[Product], None]] = [publish, withdraw, link, unlink, add_tag, remove_tag]

    def write(number: int) -> None:
        dice = random.Random(number)  # noqa: S311 - the same steps each time
        for _ in range(40):
            if dice.randrange(10):
                dice.choice(writers)(dice.choice(products))
            else:
                list(rebuild())

    at_once(write, threads=6)
    assert list(discrepancies()) == []
