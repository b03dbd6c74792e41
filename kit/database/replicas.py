"""Reading from read replicas of PostgreSQL, those of DATABASE_REPLICA_URLS, in place of the primary.

A replica is read only while it is at most REPLICA_MAX_LAG behind (replica_watch.py). During the read it replaces the
thread's default connection, so the reading code need not know.
"""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections

from kit.database import database_time
from kit.database.error_states import was_lost
from kit.database.raw_sql import fetch
from kit.errors import InvalidData
from kit.observability import metering

if TYPE_CHECKING or connection.vendor == "postgresql":  # SQLite, which has no replicas, does without psycopg
    from kit.database.replica_watch import ReplicaWatch

Result = TypeVar("Result")

MOST_SECONDS = 0.5
"""The most seconds that a replica may take; then the primary is asked. A silent replica delays no request longer."""

# SQLSTATEs that the primary might not raise: a conflict with replay (40), a migration that is not replayed yet (42), a
# write (25006), a statement that took longer than MOST_SECONDS (57014).
_OF_THE_REPLICA = ("40", "42", "25006", "57014")
_turn = itertools.count()
_starting = threading.Lock()


def are_configured() -> bool:
    """Whether this process may read from replicas."""
    return bool(settings.REPLICA_ALIASES)


def read(work: Callable[[], Result], *, position: int = 0) -> Result | None:
    """What the work returns, reading from a replica; None if none may or can answer, so that the primary must.

    position: what the replica must have replayed, as `parse_position` returns it.
    The work must write nothing, and raise what the database raises; anything else that it raises is raised here.
    """
    replica = _choose(position)
    if replica is None:
        return None
    try:
        with _in_place_of_the_primary(replica.alias), database_time.bounded(MOST_SECONDS):
            result = work()
    except DatabaseError as error:
        if was_lost(error):
            replica.leave_out()
        elif not _is_of_the_replica(error):
            raise
        metering.count_replica_read(replica.alias, "repeated")
        return None
    metering.count_replica_read(replica.alias, "answered")
    return result


def commit_position() -> str:
    """A position of the log that covers all that was committed, such as `0/16B3748`. Costs a statement."""
    ((position,),) = fetch("SELECT pg_current_wal_insert_lsn()::text", [])
    return str(position)


def parse_position(text: str, *, name: str) -> int:
    """The position in bytes. Raises InvalidData naming the header."""
    high, slash, low = text.partition("/")
    digits = frozenset("0123456789abcdefABCDEF")
    if not (slash and 1 <= len(high) <= 8 and 1 <= len(low) <= 8 and digits.issuperset(high + low)):
        raise InvalidData(
            f"Invalid request: The header {name} must be a value from an earlier response, such as 0/16B3748"
        )
    return int(high, 16) << 32 | int(low, 16)


def _choose(position: int) -> "ReplicaWatch | None":
    fit = [each for each in _watches() if each.has(position, max_lag=settings.REPLICA_MAX_LAG)]
    return fit[next(_turn) % len(fit)] if fit else None


def _watches() -> "list[ReplicaWatch]":
    """The watches of this process, since its first question: processes may have been forked before."""
    with _starting:  # two threads that ask first would start two watches of each replica
        return _started()


@cache
def _started() -> "list[ReplicaWatch]":
    watches = [ReplicaWatch(alias) for alias in settings.REPLICA_ALIASES]
    for watch in watches:
        watch.start()
    return watches


@contextmanager
def _in_place_of_the_primary(alias: str) -> Iterator[None]:
    primary = connections[DEFAULT_DB_ALIAS]
    replica = connections[DEFAULT_DB_ALIAS] = connections[alias]
    try:
        yield
    except DatabaseError as error:
        if was_lost(error):
            replica.close()
        raise
    finally:
        connections[DEFAULT_DB_ALIAS] = primary


def _is_of_the_replica(error: DatabaseError) -> bool:
    return str(getattr(error.__cause__, "sqlstate", None) or "").startswith(_OF_THE_REPLICA)
