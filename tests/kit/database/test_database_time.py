"""A request's budget of database time, on the thread's own connection: what counts and what is canceled."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from kit.database import measured_postgresql
from kit.database.database_time import bounded, is_over, lift, running
from kit.database.error_states import was_canceled, was_lost
from kit.database.locking import is_conflict
from kit.database.raw_sql import fetch, renew_if_dead
from shop.models import SalesChannel
from tests.kit.database.busy_database import work

pytestmark = pytest.mark.django_db(transaction=True)
LOCK = 770_002


def by_cursor(amount: float) -> None:
    """As the ORM runs its statements."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_sleep(%s)", [amount * 0.2])
        else:
            numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %s) SELECT i FROM n"
            cursor.execute(numbers, [int(amount * 2_000_000)])
        for _ in cursor:
            pass


@contextmanager
def canceled() -> Iterator[None]:
    with pytest.raises(OperationalError) as caught:
        yield
    assert was_canceled(caught.value)
    assert not was_lost(caught.value)


@contextmanager
def elsewhere() -> Iterator[BaseDatabaseWrapper]:
    other = connection.copy()
    other.inc_thread_sharing()
    yield other
    other.close()


@pytest.mark.parametrize("run", [work, by_cursor])
def test_a_statement_beyond_it_is_cancelled_and_its_connection_goes_on(run: Callable[[float], Any]) -> None:
    for _ in range(3):  # at last prepared
        run(0.01)
    before = connection.connection
    with bounded(0.05):
        with canceled():
            run(100)
        assert is_over()
    assert not is_over()
    run(0.01)
    assert connection.connection is before


def test_it_is_one_for_all_statements() -> None:
    with bounded(0.4), canceled():
        for _ in range(1000):
            work(0.5)


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_nothing_is_cancelled_without_one_or_once_it_is_lifted(seconds: float) -> None:
    with bounded(seconds):
        if seconds:
            lift()
        work(1)
        assert not is_over()


def test_the_transaction_is_rolled_back_though_the_budget_is_over() -> None:
    with bounded(0.05), canceled(), transaction.atomic():
        SalesChannel.objects.create(name="Nowhere")
        with transaction.atomic():
            work(100)
    assert not SalesChannel.objects.filter(name="Nowhere").exists()


def test_quick_statements_still_run_when_it_is_over() -> None:
    with bounded(0.05):
        with canceled():
            work(100)
        assert fetch("SELECT 1", []) == [(1,)]
        with canceled():
            work(100)


def test_a_thread_has_its_own() -> None:
    seen: list[object] = []
    with bounded(0.05):
        other = threading.Thread(target=lambda: seen.append(running()))
        other.start()
        other.join()
    assert seen == [None]


@pytest.mark.postgresql
class TestOnPostgreSQL:
    WAIT = "SELECT pg_advisory_xact_lock(%s)::text"

    @contextmanager
    def locked(self) -> Iterator[BaseDatabaseWrapper]:
        with elsewhere() as other:
            other.cursor().execute("SELECT pg_advisory_lock(%s)", [LOCK])
            yield other
            other.cursor().execute("SELECT pg_advisory_unlock_all()")

    def test_a_lock_that_is_not_had_in_time_is_a_conflict_though_it_took_longer(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 400")
        with self.locked(), bounded(0.05):
            with pytest.raises(OperationalError) as caught:
                fetch(self.WAIT, [LOCK])
            assert is_conflict(caught.value)
            assert not is_over()
        connection.close()

    def test_work_behind_the_lock_counts(self) -> None:
        def release() -> None:
            while not holder.cursor().execute(waiting, [LOCK]).fetchone():
                pass
            holder.cursor().execute("SELECT pg_sleep(0.3), pg_advisory_unlock_all()")

        waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND objid = %s"
        with self.locked() as holder, bounded(0.05), canceled():
            releasing = threading.Thread(target=release)
            releasing.start()
            try:
                fetch("SELECT pg_advisory_xact_lock(%s)::text, pg_sleep(20)::text", [LOCK])
            finally:
                releasing.join()

    def test_no_cancellation_hits_the_next_statement(self) -> None:
        """Statements that end just when they are canceled may be canceled or not; the next one never is."""
        ends: set[bool] = set()
        seconds = 0.02
        for _ in range(60):
            with bounded(0.001):
                try:
                    fetch("SELECT pg_sleep(%s)", [seconds])
                    ends.add(True)
                    seconds *= 1.2
                except OperationalError:
                    ends.add(False)
                    seconds /= 1.2
            assert fetch("SELECT pg_sleep(0.002), 1", [])[0][1] == 1
        assert ends == {True, False}

    def test_a_connection_whose_cancellation_is_not_confirmed_is_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object, **__: object) -> None:
            raise psycopg.errors.CancellationTimeout("cancellation timeout expired")

        monkeypatch.setattr(psycopg.Connection, "cancel_safe", fail)
        fetch("SELECT 1", [])
        with bounded(0.05), pytest.raises(OperationalError) as caught:
            work(5)
        assert was_lost(caught.value)
        assert renew_if_dead()
        assert fetch("SELECT 1", []) == [(1,)]

    def test_where_nobody_can_say_whether_it_waits_the_time_counts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fetch("SELECT 1", [])
        monkeypatch.setattr(measured_postgresql, "make_conninfo", lambda *_, **__: "host=/nowhere")
        with self.locked(), bounded(0.05), canceled():
            fetch(self.WAIT, [LOCK])

    def test_statements_that_are_quick_ask_no_second_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise AssertionError

        monkeypatch.setattr(measured_postgresql, "Observer", fail)
        with bounded(2):
            assert [fetch("SELECT %s::int", [1]) for _ in range(4)] == [[(1,)]] * 4


@pytest.mark.skipif("connection.vendor == 'postgresql'", reason="SQLite has one lock")
def test_the_wait_for_sqlites_lock_does_not_count() -> None:
    connection.ensure_connection()
    connection.connection.execute("PRAGMA busy_timeout = 200")
    with elsewhere() as other:
        other.cursor().execute("BEGIN IMMEDIATE")
        with bounded(0.05):
            with pytest.raises(OperationalError) as caught, transaction.atomic():
                pass
            assert is_conflict(caught.value)
            with pytest.raises(OperationalError):
                SalesChannel.objects.update(name="Nowhere")
            assert running().left == 0.05  # type: ignore[union-attr]
        other.cursor().execute("ROLLBACK")
    connection.close()
