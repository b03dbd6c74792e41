"""Orders are counted again while other transactions write and fold: no one waits, and the counts are right."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from giftcards.verification.verification import discrepancies
from kit.derived.count_folding import fold
from orders.models import Order, OrderCount, OrderRangeCount
from orders.reports.counts.recounting import recount
from orders.states import OrderStatus
from tests.concurrency.crowd import at_once
from tests.concurrency.test_idempotency import short_wait
from tests.orders.placed import placed

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


@pytest.fixture
def order() -> Order:
    """An order whose counts are lost."""
    order = placed()
    OrderCount.objects.all().delete()
    OrderRangeCount.objects.all().delete()
    return order


def archive(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(status=OrderStatus.ARCHIVED)
    fold(OrderCount, OrderRangeCount)


def do_meanwhile(work: Callable[[], object]) -> None:
    """On a connection of its own, whose locks must not wait."""

    def hurried() -> None:
        try:
            with short_wait():
                work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(hurried).result()


def test_orders_are_written_and_counts_folded_while_they_are_counted_again(order: Order) -> None:
    with transaction.atomic():
        recount()
        do_meanwhile(lambda: archive(order))
    assert list(discrepancies()) == []


def test_they_are_counted_again_while_orders_are_written_and_counts_folded(order: Order) -> None:
    other = placed()
    with transaction.atomic():
        archive(other)
        do_meanwhile(recount)
    assert list(discrepancies()) == []


def test_two_that_count_again_at_once_append_the_same_once(order: Order) -> None:
    at_once(lambda _: recount(), threads=8)
    assert list(discrepancies()) == []
    assert OrderCount.objects.get().number == 1
