"""The lowest prices are computed by several at once, while prices change: what is stored is right."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from catalog.models import LowestPrice, Price
from catalog.prices.lowest_prices import recomputing
from catalog.prices.lowest_prices.recomputing import recompute
from giftcards.verification.verification import discrepancies
from kit.derived import stale_batches
from tests.concurrency.first_call import FirstCall
from tests.concurrency.test_lowest_stock import somebody_waits
from tests.concurrency.test_order_counts import do_meanwhile
from tests.concurrency.test_product_counts import closed
from tests.factories.pricing import price
from tests.factories.products import VariantFactory
from tests.waiting import until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def test_who_has_read_older_prices_stores_them_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits for the first; else the first would store its older amount last."""
    price(VariantFactory(), 9)
    first_call = FirstCall(monkeypatch, recomputing, "_store")
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(closed, recompute)
        first_call.wait()
        Price.objects.update(amount=2)
        second = pool.submit(closed, recompute)
        until(somebody_waits)
        first_call.release()
        first.result(20)
        second.result(20)
    assert LowestPrice.objects.get().amount == 2


def test_marks_of_one_product_in_two_batches_are_processed_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long transaction commits marks with lower keys than those that are being processed."""
    variant, other = VariantFactory(), VariantFactory()
    type(other).objects.filter(pk=other.pk).update(product=variant.product)
    recompute()
    monkeypatch.setattr(stale_batches, "BATCH", 1)
    first_call = FirstCall(monkeypatch, recomputing, "_store")
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            price(variant, 3)
            do_meanwhile(lambda: price(other, 2))
            first = pool.submit(closed, recompute)
            first_call.wait()
        second = pool.submit(closed, recompute)
        until(somebody_waits)
        first_call.release()
        first.result(20)
        second.result(20)
    assert LowestPrice.objects.get().amount == 2


def test_writers_of_one_product_do_not_wait_for_each_other() -> None:
    first, second = VariantFactory(), VariantFactory()
    type(second).objects.filter(pk=second.pk).update(product=first.product)
    with transaction.atomic():
        price(first, 3)
        do_meanwhile(lambda: price(second, 2))
        do_meanwhile(recompute)
    assert LowestPrice.objects.get().amount == 2
    recompute()
    assert LowestPrice.objects.get().amount == 2
    assert [each for each in discrepancies() if "prices" in each] == []
