"""A statement that comes again is prepared, and answers as the cursor does in every respect but its price."""

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import Mock
from weakref import ref

import psycopg
import pytest
from django.db import DataError, Error, OperationalError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.pq import TransactionStatus
from psycopg.types.json import Jsonb
from pytest_django import DjangoDbBlocker
from structlog.testing import capture_logs

from kit.database import psycopg_results
from kit.database.prepared_statements import PreparedStatements
from kit.database.raw_sql import command, fetch, renew_if_dead

pytestmark = [pytest.mark.postgresql, pytest.mark.usefixtures("fresh_connection")]

NAMES = "SELECT statement FROM pg_prepared_statements WHERE name LIKE 'commerce_%%' ORDER BY prepare_time"
MOMENT = datetime(2026, 3, 1, 12, 0, 0, 250_000, UTC)
LOCK = 770_001


def prepared() -> list[str]:
    """Texts that the session has prepared, oldest first; asked by the ORM's cursor, which prepares none."""
    with connection.cursor() as cursor:
        cursor.execute(NAMES, [])
        return [text for (text,) in cursor.fetchall()]


def settled(text: str, parameters: Sequence[Any] = ()) -> list[Any]:
    """The rows of the statement once it is prepared."""
    for _ in range(2):
        fetch(text, parameters)
    before = len(prepared())
    rows = fetch(text, parameters)
    assert len(prepared()) == before + 1
    return rows


def by_cursor(text: str, parameters: Sequence[Any] = ()) -> list[Any]:
    """The rows as the driver's cursor has them."""
    with connection.execute_wrapper(lambda execute, *given: execute(*given)):
        return fetch(text, parameters)


@pytest.fixture
def fresh_connection(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Outside any transaction; the tests write nothing but temporary tables, so that there is nothing to flush."""
    with django_db_blocker.unblock():
        connection.close()
        yield
        connection.close()


@contextmanager
def other_connection() -> Iterator[psycopg.Connection[Any]]:
    other = connection.copy()
    other.ensure_connection()
    assert other.connection is not None
    yield other.connection
    other.close()


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("text", "it's 100 % 🙂"),
        ("varchar(9)", ""),
        ("text[]", '{"a","b\\"c",NULL}'),
        ("text[]", ["a", 'b"c', None]),
        ("bool", True),
        ("bool", False),
        ("int2", -7),
        ("int4", 70_000),
        ("int8", 2**40),
        ("numeric", 2**70),
        ("numeric(12, 3)", Decimal("10.500")),
        ("float8", 0.1),
        ("timestamptz", MOMENT),
        ("timestamptz", MOMENT.isoformat()),
        ("timestamp", MOMENT.replace(tzinfo=None)),
        ("date", date(2026, 3, 1)),
        ("interval", timedelta(days=2, seconds=3)),
        ("jsonb", Jsonb({"a": [1, None]})),
        ("jsonb", '{"a": "b"}'),
        ("json", "[1]"),
        ("bytea", b"\0\xff"),
        ("uuid", "8c5f1f1e-0000-4000-8000-000000000001"),
        ("inet", "10.0.0.1"),
    ],
)
@pytest.mark.parametrize("is_null", [False, True])
def test_values_and_rows_are_the_cursors(kind: str, value: Any, is_null: bool) -> None:
    text = f"SELECT CAST(%s AS {kind}), pg_typeof(CAST(%s AS {kind}))::text"
    parameters = [None if is_null else value] * 2
    expected = by_cursor(text, parameters)
    rows = settled(text, parameters)
    assert rows == expected
    assert [type(cell) for cell in rows[0]] == [type(cell) for cell in expected[0]]
    assert (rows[0][0] is None) == is_null


def test_a_parameter_keeps_the_type_of_its_value() -> None:
    assert settled("SELECT %s, %s, %s", [5, True, "5"]) == [(5, True, "5")]
    assert [fetch("SELECT %s, %s, %s", ["5", "t", 5]) for _ in range(3)] == [[("5", "t", 5)]] * 3


def test_percent_signs_of_the_text_are_doubled_as_for_a_cursor() -> None:
    text = "SELECT '100 %%', '%%s', %s::text, 7 %% 4"
    assert settled(text, ["%s"]) == by_cursor(text, ["%s"]) == [("100 %", "%s", "%s", 3)]


def test_no_rows_and_no_columns() -> None:
    assert settled("SELECT 1 WHERE %s < 0", [1]) == []
    assert settled("SELECT", []) == [()]


def test_a_statement_is_prepared_when_it_comes_a_third_time() -> None:
    for names in (0, 0, 1, 1):
        assert fetch("SELECT %s::int", [1]) == [(1,)]
        assert len(prepared()) == names


def test_none_is_prepared_where_the_connection_prepares_none() -> None:
    connection.ensure_connection()
    assert connection.connection is not None
    connection.connection.prepare_threshold = None
    assert [fetch("SELECT %s::int", [1]) for _ in range(4)] == [[(1,)]] * 4
    assert prepared() == []


def test_the_least_recently_used_gives_way_to_the_hundred_and_first() -> None:
    texts = [f"SELECT {number}" for number in range(101)]
    for text in texts[:100]:
        settled(text)
    fetch(texts[0], [])
    assert prepared() == texts[:100]
    for _ in range(3):
        fetch(texts[100], [])
    assert prepared() == [texts[0], *texts[2:]]
    assert fetch(texts[1], []) == [(1,)]


def test_texts_that_come_only_once_take_no_place() -> None:
    settled("SELECT 'kept'")
    for number in range(300):
        fetch(f"SELECT {number}", [])
    assert prepared() == ["SELECT 'kept'"]


def test_a_text_that_comes_again_only_after_a_hundred_others_is_counted_again() -> None:
    for text in ("SELECT 'rare'", "SELECT 'rare'", *(f"SELECT {number}" for number in range(100)), "SELECT 'rare'"):
        fetch(text, [])
    assert prepared() == []


def test_wrappers_and_the_log_see_statements_that_are_prepared() -> None:
    settled("SELECT 1")
    seen: list[str] = []

    def note(execute: Callable[..., Any], text: str, *more: Any) -> Any:
        seen.append(text)
        return execute(text, *more)

    with connection.execute_wrapper(note):
        assert fetch("SELECT 1", []) == [(1,)]
    with CaptureQueriesContext(connection) as log:
        assert fetch("SELECT 1", []) == [(1,)]
    assert (seen, [entry["sql"] for entry in log]) == (["SELECT 1"], ["SELECT 1"])


@pytest.mark.parametrize(
    ("text", "good", "bad", "kind", "state"),
    [
        ("SELECT 1 / %s::int", 1, 0, DataError, "22012"),
        ("SELECT set_config('lock_timeout', %s, false)", "0", "x", DataError, "22023"),
        ("SELECT nextval(%s::text)", "test_steps", "test_nothing", ProgrammingError, "42P01"),
    ],
)
def test_errors_are_djangos_with_the_drivers_as_their_cause(
    text: str, good: Any, bad: Any, kind: type[Error], state: str
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY SEQUENCE test_steps")
    settled(text, [good])
    errors = []
    for run in (by_cursor, fetch):
        with pytest.raises(Error) as caught:
            run(text, [bad])
        errors.append(caught.value)
    for error in errors:
        assert (type(error), error.args) == (kind, errors[0].args)
        assert isinstance(error.__cause__, psycopg.Error)
        assert (type(error.__cause__), error.__cause__.sqlstate) == (type(errors[0].__cause__), state)
    assert len(fetch(text, [good])) == 1


def test_a_lock_that_is_not_had_in_time_is_an_operational_error_with_its_state() -> None:
    text = "SELECT pg_advisory_xact_lock(%s)::text"
    settled(text, [LOCK])
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = 1")
    with other_connection() as other:
        other.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        with pytest.raises(OperationalError) as caught:
            fetch(text, [LOCK])
        other.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    assert isinstance(caught.value.__cause__, psycopg.errors.LockNotAvailable)
    assert fetch(text, [LOCK]) == [("",)]


class TestWhileAStatementWaitsForALock:
    WAIT = "SELECT pg_advisory_xact_lock(%s)::text"
    # Of this database alone: another process of the run may wait for the same number in its own.
    WAITING = (
        "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE NOT granted AND objid = %s AND datname = current_database()"
    )

    @contextmanager
    def meanwhile(self, act: Callable[[psycopg.Connection[Any]], object]) -> Iterator[None]:
        """The lock is taken; once this connection waits for it, the act is done with its holder."""
        settled(self.WAIT, [LOCK])

        def watch() -> None:
            while not holder.execute(self.WAITING, [LOCK]).fetchone():
                pass
            act(holder)

        with other_connection() as holder:
            holder.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            watcher = threading.Thread(target=watch)
            watcher.start()
            yield
            watcher.join()

    def test_other_threads_run(self) -> None:
        with self.meanwhile(lambda holder: holder.execute("SELECT pg_advisory_unlock(%s)", [LOCK])):
            assert fetch(self.WAIT, [LOCK]) == [("",)]

    @pytest.fixture
    def interruptible(self) -> Iterator[None]:
        """Python's own handler: a suite started with SIGINT ignored, as background jobs are, has none."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    def test_an_interrupt_ends_it_and_leaves_the_connection_usable(self, interruptible: None) -> None:
        has_ended, ended_by_itself = threading.Event(), []

        def interrupt(holder: psycopg.Connection[Any]) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            ended_by_itself.append(has_ended.wait(20))
            holder.execute("SELECT pg_advisory_unlock(%s)", [LOCK])

        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 0")
        before = connection.connection
        with self.meanwhile(interrupt):
            with pytest.raises(KeyboardInterrupt):
                fetch(self.WAIT, [LOCK])
            has_ended.set()
        assert ended_by_itself == [True]
        assert fetch("SELECT 1", []) == [(1,)]
        assert connection.connection is before

    def test_so_does_one_between_sending_and_waiting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        settled(self.WAIT, [LOCK])
        before = connection.connection
        with other_connection() as holder:
            holder.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            with monkeypatch.context() as interrupted:
                interrupted.setattr(psycopg_results, "execute", Mock(side_effect=KeyboardInterrupt))
                with pytest.raises(KeyboardInterrupt):
                    fetch(self.WAIT, [LOCK])
            assert fetch("SELECT 1", []) == [(1,)]
        assert connection.connection is before


class TestInATransaction:
    INSERT = "INSERT INTO test_shelf VALUES (%s) RETURNING id"
    IDS = "SELECT id FROM test_shelf ORDER BY id"

    @pytest.fixture(autouse=True)
    def shelf(self, fresh_connection: None) -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE test_shelf (id int)")
        for text, parameters in ((self.INSERT, [1]), (self.IDS, [])):
            settled(text, parameters)

    def test_the_first_statement_opens_it_and_it_is_rolled_back_whole(self) -> None:
        with transaction.atomic():
            fetch(self.INSERT, [2])
            fetch(self.INSERT, [3])
            assert fetch(self.IDS, []) == [(1,), (1,), (1,), (2,), (3,)]
            transaction.set_rollback(True)
        assert fetch(self.IDS, []) == [(1,), (1,), (1,)]

    @pytest.mark.parametrize("change", ["ALTER TABLE test_shelf ALTER id TYPE bigint", "DEALLOCATE ALL"])
    def test_an_outdated_statement_opens_it_all_the_same(self, change: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(change)
        with transaction.atomic():
            assert fetch(self.IDS, []) == [(1,), (1,), (1,)]
            assert connection.connection is not None
            assert connection.connection.info.transaction_status == TransactionStatus.INTRANS

    def test_one_of_another_kind_is_opened_by_the_cursor(self) -> None:
        connection.close()
        connection.ensure_connection()
        assert connection.connection is not None
        connection.connection.set_isolation_level(psycopg.IsolationLevel.SERIALIZABLE)
        level = "SELECT current_setting('transaction_isolation')"
        assert settled(level) == [("read committed",)]
        with transaction.atomic():
            assert fetch(level, []) == [("serializable",)]

    def test_statements_stay_prepared_when_a_savepoint_or_all_of_it_is_rolled_back(self) -> None:
        with transaction.atomic():
            by_cursor(self.IDS)
            with transaction.atomic():
                by_cursor(self.IDS)
                transaction.set_rollback(True)
            assert len(fetch(self.IDS, [])) == 3
            transaction.set_rollback(True)
        assert len(prepared()) == 2
        assert len(fetch(self.IDS, [])) == 3

    def test_a_broken_one_is_refused_before_the_database_is_asked(self) -> None:
        with transaction.atomic():
            fetch("SELECT 1", [])
            transaction.set_rollback(True)
            with pytest.raises(transaction.TransactionManagementError):
                fetch(self.IDS, [])


@pytest.mark.parametrize("clear", ["DEALLOCATE ALL", "DISCARD ALL"])
def test_a_session_that_was_cleared_prepares_again(clear: str) -> None:
    settled("SELECT 1")
    with connection.cursor() as cursor:
        cursor.execute(clear)
    assert [fetch("SELECT 1", []) for _ in range(3)] == [[(1,)]] * 3
    assert prepared() == ["SELECT 1"]


def test_a_dead_connection_is_an_operational_error_and_is_replaced() -> None:
    settled("SELECT 1")
    assert connection.connection is not None
    with other_connection() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    with pytest.raises(OperationalError):
        fetch("SELECT 1", [])
    assert renew_if_dead()
    assert fetch("SELECT 1", []) == [(1,)]
    assert prepared() == []


def test_what_is_kept_for_a_connection_goes_with_it() -> None:
    settled("SELECT now(), %s", ["a"])
    kept = ref(connection.connection)
    gc.disable()
    try:
        connection.close()
        assert kept() is None
    finally:
        gc.enable()


def test_each_connection_prepares_for_itself() -> None:
    settled("SELECT 1")
    rows: list[Any] = []

    def work() -> None:
        rows.extend(fetch("SELECT 1", []) for _ in range(3))
        rows.append(prepared())
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert rows == [[(1,)], [(1,)], [(1,)], ["SELECT 1"]]


def test_a_pipeline_is_the_cursors() -> None:
    settled("SELECT 1")
    assert connection.connection is not None
    with connection.connection.pipeline():
        assert fetch("SELECT 1", []) == [(1,)]


def refuse(server: Any) -> Any:
    raise ZeroDivisionError


def return_no_generator(server: Any) -> Any:
    return []


def return_nothing(server: Any) -> Any:
    return iter(())


def return_half(server: Any) -> Any:
    """The right kind of generator, which leaves its results behind."""
    return psycopg.generators._send(server)


@pytest.mark.parametrize(
    "other",
    [None, refuse, return_no_generator, return_nothing, return_half],
    ids=["missing", "refuses", "no generator", "nothing", "half"],
)
def test_without_the_undocumented_function_statements_run_by_cursor(
    other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psycopg_results, "execute", other)
    with capture_logs() as log:
        assert [fetch("SELECT %s::int", [1]) for _ in range(5)] == [[(1,)]] * 5
        command("BEGIN")
        assert [fetch("SELECT %s::int", [1]) for _ in range(3)] == [[(1,)]] * 3
        command("ROLLBACK")
        with pytest.raises(DataError):
            fetch("SELECT 1 / %s::int", [0])
    assert prepared() == []
    assert [(line["log_level"], line["event"]) for line in log] == [("warning", "prepared_statements_are_off")]


def test_a_connection_that_dies_is_not_taken_for_another_function() -> None:
    connection.ensure_connection()
    assert connection.connection is not None
    with other_connection() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    with pytest.raises(OperationalError):
        command("BEGIN")
    assert renew_if_dead()
    assert len(settled("SELECT 1")) == 1


def test_threads_that_share_a_connection_take_turns() -> None:
    connection.ensure_connection()
    assert connection.connection is not None
    statements = PreparedStatements(connection.connection, connection.connection.adapters)
    text, rows = "SELECT %s, pg_sleep(0.001)::text", list[Any]()
    assert [statements.run(text, ["a"]) for _ in range(3)] == [None, None, [("a", "")]]

    def work(value: str) -> None:
        rows.extend(statements.run(text, [value]) for _ in range(50))

    crowd = [threading.Thread(target=work, args=(value,)) for value in "abcd"]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    assert sorted(each[0][0] for each in rows) == sorted("abcd" * 50)
