"""Refuses transaction poolers in front of PostgreSQL: behind one, a prepared statement got the rows of another.

Source: behaviour.md 0.41.
"""

from weakref import WeakSet

import psycopg
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from psycopg.rows import TupleRow

SENTENCE = (
    "A pooler such as pgbouncer stands in front of PostgreSQL, which is not supported: "
    "let DATABASE_URL name the server itself, and set DATABASE_POOL where connections are scarce."
)
_checked: "WeakSet[psycopg.Connection[TupleRow]]" = WeakSet()


class PoolerInFront(OperationalError):
    """The connection goes through a pooler. Its cause is psycopg's error, so that requests are answered 503."""


def watch_connections() -> None:
    """From now on, refuse new connections through a pooler. Costs one statement per connection."""
    connection_created.connect(_refuse_pooler, dispatch_uid="commerce.kit.core.pooler")


def _refuse_pooler(connection: BaseDatabaseWrapper, **named: object) -> None:
    """Compare process ids: a pooler reports its own for the connection, not that of the server process behind it."""
    raw = connection.connection
    if connection.vendor != "postgresql" or raw in _checked:
        return
    row = raw.execute("SELECT pg_backend_pid()").fetchone()
    if row != (raw.info.backend_pid,):
        connection.close()
        raise PoolerInFront(SENTENCE) from psycopg.OperationalError(SENTENCE)
    _checked.add(raw)
