"""Counts of orders are folded while they are counted again: neither ends in a deadlock."""

import time
from threading import Thread

import pytest
from django.db import DatabaseError, connection, transaction

from orders.counts.folding import fold
from orders.counts.recounting import recount
from orders.models import OrderCount
from tests.orders.placed import placed

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def test_counting_again_waits_for_a_fold_that_has_locked_its_rows() -> None:
    order = placed()
    errors: list[DatabaseError] = []

    def count_again() -> None:
        try:
            recount()
        except DatabaseError as error:
            errors.append(error)
        finally:
            connection.close()

    thread = Thread(target=count_again)
    with transaction.atomic():
        list(OrderCount.objects.select_for_update())  # as a fold begins
        thread.start()
        time.sleep(0.5)  # the other one waits for a lock by now
        OrderCount.objects.create(
            number=1,
            status=order.status,
            payment_status=order.payment_status,
            fulfillment_status=order.fulfillment_status,
            region_id=order.region_id,
            sales_channel_id=order.sales_channel_id,
            currency_id=order.currency_id,
        )
    thread.join()
    assert errors == []
    fold()
    assert list(OrderCount.objects.values_list("number", flat=True)) == [1]
