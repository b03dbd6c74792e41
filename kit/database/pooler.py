"""Transaction poolers such as pgbouncer in front of PostgreSQL: refused, or with DATABASE_POOLER=transaction, used.

Refused, because behind one a prepared statement got the rows of another.
Why: docs/decisions/operations.md#a-pooler-is-refused-unless-its-mode-is-named.
"""

import secrets
from weakref import WeakSet

import psycopg
from django.conf import settings
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from psycopg.rows import TupleRow

from kit.database.measured_postgresql import MeasuredConnection, Observer

SENTENCE = (
    "A pooler such as pgbouncer stands in front of PostgreSQL: let DATABASE_URL name the server itself, "
    "or set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to the server itself."
)
_known: "WeakSet[psycopg.Connection[TupleRow]]" = WeakSet()


class PoolerInFront(OperationalError):
    """The connection goes through a pooler. Its cause is psycopg's error, so that requests are answered 503."""


class PooledConnection(MeasuredConnection):
    """A measured connection through a pooler.

    The process id that it has is the pooler's. It is found in PostgreSQL by its application_name, which poolers pass
    on to whichever session runs its transaction.
    """

    def observer(self) -> Observer:
        """Looks past the pooler, whose sessions may all be waiting for the lock."""
        query = "SELECT 1 FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"
        return Observer(settings.DATABASE_DIRECT_URL, query, self.info.parameter_status("application_name"))


def watch_connections() -> None:
    """From now on, name new connections to the pooler, and refuse others through one. Costs a statement for each."""
    connection_created.connect(_receive, dispatch_uid="commerce.pooler")


def _receive(connection: BaseDatabaseWrapper, **named: object) -> None:
    raw = connection.connection
    if connection.vendor != "postgresql" or raw in _known:
        return
    if connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"):  # set behind a pooler, and only there
        raw.execute("SELECT set_config('application_name', %s, false)", [f"commerce {secrets.token_hex(12)}"])
        raw.__class__ = PooledConnection
    elif _is_pooled(raw):
        connection.close()
        raise PoolerInFront(SENTENCE) from psycopg.OperationalError(SENTENCE)
    _known.add(raw)


def _is_pooled(raw: "psycopg.Connection[TupleRow]") -> bool:
    """Compare process ids: a pooler reports its own for the connection, not that of the server process behind it."""
    return raw.execute("SELECT pg_backend_pid()").fetchone() != (raw.info.backend_pid,)
