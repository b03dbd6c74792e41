"""Work that loses a race is done again, and a wait that is over is a conflict."""

import threading

import pytest
from django.db import connection, transaction

from kit.database.locking import lock_named, lock_rows, retry_on_conflict
from kit.errors import Conflict
from shop.models import FulfillmentProvider, PaymentProvider, SalesChannel
from tests.concurrency.crowd import at_once

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def test_a_deadlock_is_settled_by_a_second_try() -> None:
    """Two works take two locks in opposite order and meet in the middle; the loser's second try succeeds."""
    middle = threading.Barrier(2)
    tries = []

    def work(number: int) -> int:
        first, second = (PaymentProvider, FulfillmentProvider)[:: 1 if number else -1]

        def attempt() -> int:
            tries.append(number)
            with transaction.atomic():
                first.objects.update(is_enabled=True)
                if len(tries) <= 2:
                    middle.wait(timeout=10)
                second.objects.update(is_enabled=True)
            return number

        return retry_on_conflict(attempt)

    assert sorted(at_once(work, threads=2)) == [0, 1]
    assert len(tries) == 3


@pytest.mark.parametrize("kind", ["row", "name"])
def test_a_lock_that_is_not_had_in_time_is_a_conflict(kind: str) -> None:
    held, done = threading.Event(), threading.Event()
    SalesChannel.objects.create(name="Till")

    def lock() -> None:
        if kind == "row":
            assert lock_rows(SalesChannel.objects.filter(name="Till"))
        else:
            lock_named("a test")

    def work(number: int) -> str:
        if number == 0:
            with transaction.atomic():
                lock()
                held.set()
                done.wait(timeout=20)
            return "held"
        held.wait(timeout=10)
        tries = []
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '100ms'")

            def attempt() -> None:
                tries.append(1)
                with transaction.atomic():
                    lock()

            with pytest.raises(Conflict):
                retry_on_conflict(attempt)
        finally:
            done.set()
        return f"refused after {len(tries)} try"

    assert at_once(work, threads=2) == ["held", "refused after 1 try"]


def test_inside_a_transaction_the_first_failure_is_final() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        tries = []

        def attempt() -> None:
            tries.append(1)
            cursor.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")

        with pytest.raises(Conflict):
            retry_on_conflict(attempt)
        assert tries == [1]
        transaction.set_rollback(True)


def test_a_named_lock_outside_a_transaction_is_a_mistake() -> None:
    with pytest.raises(transaction.TransactionManagementError):
        lock_named("a test")
