"""Products are changed, linked and listed again by several transactions at once: the listing is right."""

import random
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from catalog import search
from catalog.listings.rebuilding import rebuild
from catalog.models import ListedProduct, Product
from catalog.states import ProductStatus
from giftcards.verification.verification import discrepancies
from tests.concurrency.crowd import at_once
from tests.concurrency.test_order_counts import do_meanwhile
from tests.concurrency.test_product_counts import default, link, publish, write_overlapping
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def rename(product: Product) -> None:
    """As load_shop does, which updates the search entry later."""
    with search.paused():
        Product.objects.filter(pk=product.pk).update(title="Renamed")


def withdraw(product: Product) -> None:
    Product.objects.filter(pk=product.pk).update(status=ProductStatus.DRAFT)


def unlink(product: Product) -> None:
    product.sales_channels.remove(default())


@pytest.mark.parametrize(
    ("linked", "first", "second", "rows"),
    [
        (False, publish, link, 1),
        (False, link, publish, 1),
        (False, link, rename, 1),
        (False, rename, link, 1),
        (True, unlink, rename, 0),
        (True, rename, unlink, 0),
        (True, withdraw, unlink, 0),
        (True, unlink, withdraw, 0),
    ],
)
def test_two_at_once_list_what_both_leave(
    linked: bool, first: Callable[[Product], None], second: Callable[[Product], None], rows: int
) -> None:
    """Neither sees what the other has not committed: the second waits for the product's search entry."""
    status = ProductStatus.DRAFT if publish in (first, second) else ProductStatus.PUBLISHED
    product = ProductFactory(status=status, sales_channels=[default()] if linked else [])
    write_overlapping(first, transaction.atomic(second), product)
    assert list(discrepancies()) == []
    assert ListedProduct.objects.count() == rows


def test_writers_of_two_products_do_not_wait_for_each_other() -> None:
    product, other = ProductFactory(status=ProductStatus.DRAFT, sales_channels=[]), ProductFactory()
    with transaction.atomic():
        publish(product)
        link(product)
        do_meanwhile(lambda: Product.objects.filter(pk=other.pk).update(title="Renamed"))
        do_meanwhile(lambda: unlink(other))
    assert list(discrepancies()) == []


def test_after_any_writers_at_once_the_listing_is_right() -> None:
    channels = [default(), SalesChannelFactory()]
    products = [ProductFactory(status=status, sales_channels=[]) for status in ProductStatus for _ in range(2)]

    def write(number: int) -> None:
        dice = random.Random(number)  # noqa: S311 - the same steps each time
        for step in range(40):
            product, channel = dice.choice(products), dice.choice(channels)
            match dice.randrange(6):
                case 0:
                    publish(product)
                case 1:
                    withdraw(product)
                case 2:
                    product.sales_channels.add(channel)
                case 3:
                    product.sales_channels.remove(channel)
                case 4:
                    Product.objects.filter(pk=product.pk).update(title=f"{number} {step}")
                case _:
                    list(rebuild())

    at_once(write, threads=6)
    assert list(discrepancies()) == []
