"""Locks, always taken in one order, and the second try of work that lost a race.

PostgreSQL locks rows; SQLite ignores row locks and is serialised by its IMMEDIATE transactions. A wait longer than
the connection's lock_timeout (PostgreSQL) or busy timeout (SQLite) surfaces as Conflict.
"""

import random
import time
import zlib
from collections.abc import Callable
from typing import TypeVar

from django.db import Error, IntegrityError, OperationalError, connection, models, transaction

from kit.database.reruns import with_reruns
from kit.errors import Conflict
from kit.observability.metering import count_lock_conflict
from kit.values.text import is_storable

Row = TypeVar("Row", bound=models.Model)
Result = TypeVar("Result")

_ATTEMPTS = 3
_RETRIED_STATES = frozenset({"40001", "40P01"})  # serialization failure, deadlock
_CONFLICT_STATES = _RETRIED_STATES | {"55P03"}  # lock not available


def lock_rows(rows: models.QuerySet[Row]) -> list[Row]:
    """The rows, locked until the transaction ends, in primary-key order so that no two lockers can deadlock."""
    return list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))


def lock_row(rows: models.QuerySet[Row], pk: str) -> Row | None:
    """The row of that id among these, locked until the transaction ends; text that no database can hold names none."""
    return next(iter(lock_rows(rows.filter(pk=pk))), None) if is_storable(pk) else None


def lock_named(name: str) -> None:
    """Hold the lock of that name until the transaction ends: for what no single row stands for, like a tree."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("lock_named is held by a transaction, and none is open")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [zlib.crc32(name.encode())])


def is_conflict(error: OperationalError) -> bool:
    """Whether the database refused because of another transaction, not because of the work itself."""
    return _state(error) in _CONFLICT_STATES or _is_busy_sqlite(error)


def retry_on_conflict(work: Callable[[], Result]) -> Result:
    """Run the work; where it lost a race for rows, run it again, up to three times in all.

    It may also ask to be rerun (reruns.py).

    Only outermost work may be repeated: inside a transaction the first failure is final. Raises Conflict when the
    database still refuses; a lock time-out and a busy SQLite are not repeated, since their wait is already over.
    """
    return with_reruns(lambda: _retried(work))


def _retried(work: Callable[[], Result]) -> Result:
    for attempt in range(_ATTEMPTS):
        try:
            return work()
        except OperationalError as error:
            if not is_conflict(error):
                raise
            count_lock_conflict(_state(error) or "SQLITE_BUSY")
            final = attempt == _ATTEMPTS - 1 or connection.in_atomic_block
            if final or _state(error) not in _RETRIED_STATES:
                raise Conflict from error
        time.sleep(random.uniform(0.01, 0.05) * (attempt + 1))  # noqa: S311 - jitter, not a secret
    raise AssertionError("unreachable: the last attempt returns or raises")


def was_taken(error: IntegrityError) -> bool:
    """Whether PostgreSQL refused a value because another row has it. On SQLite, no transaction waits for another."""
    return _state(error) == "23505"


def _state(error: Error) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def _is_busy_sqlite(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
