"""The lowest stock is recomputed by several at once, while stock changes: what is stored is right."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from django.db import connection, transaction

from catalog.models import InventoryLevel, LowestStock
from catalog.stock.lowest_stock import recomputing
from catalog.stock.lowest_stock.recomputing import recompute
from kit.derived import stale_batches
from tests.concurrency.first_call import FirstCall
from tests.concurrency.test_order_counts import do_meanwhile
from tests.concurrency.test_product_counts import closed
from tests.factories.inventory import count_stock, stock
from tests.factories.products import ProductFactory, VariantFactory
from tests.waiting import until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def test_who_has_read_older_stock_stores_it_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits for the first; else the first would store its older figure last."""
    level = stock(VariantFactory(product=ProductFactory()), 9)
    first_call = FirstCall(monkeypatch, recomputing, "_lowest_of")
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(closed, recompute)
        first_call.wait()
        count_stock(2, InventoryLevel.objects.filter(pk=level.pk))
        second = pool.submit(closed, recompute)
        until(somebody_waits)
        first_call.release()
        first.result(20)
        second.result(20)
    assert LowestStock.objects.get().available == 2


def test_marks_of_one_product_in_two_batches_are_processed_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long transaction commits marks with lower keys than those that are being processed."""
    product = ProductFactory()
    level, other = (stock(VariantFactory(product=product, sku=sku), 9) for sku in ("a", "b"))
    recompute()
    monkeypatch.setattr(stale_batches, "BATCH", 1)
    first_call = FirstCall(monkeypatch, recomputing, "_lowest_of")
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            count_stock(2, InventoryLevel.objects.filter(pk=level.pk))
            do_meanwhile(lambda: count_stock(8, InventoryLevel.objects.filter(pk=other.pk)))
            first = pool.submit(closed, recompute)
            first_call.wait()
        second = pool.submit(closed, recompute)
        wait([second], timeout=1)
        first_call.release()
        first.result(20)
        second.result(20)
    assert LowestStock.objects.get().available == 2


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        (found,) = cursor.fetchone()
    return bool(found)
