"""Runs SQL texts that read, without the ORM's overhead, for the few statements that every request runs.

On PostgreSQL the server binds their values, so that a repeated statement is prepared (the ORM's cursor binds in the
client and never prepares); that saves the server a third of its work, and the web process four fifths of a cursor's.
On both databases timestamps and JSON are read as text: parsing them would cost more than everything else.
"""

from collections.abc import Sequence
from typing import Any, Self
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, DatabaseError, Error, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg.adapt import AdaptersMap
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow
from psycopg.types.string import TextLoader

from kit.database.prepared_statements import OUTDATED, PreparedStatements

Row = tuple[Any, ...]

# States of errors: the connection failed; there are too many; the server ends, has crashed, is starting.
_NOT_THERE = ("08", "53300", "57P")


def fetch(text: str, parameters: Sequence[Any]) -> list[Row]:
    """All rows of one statement with `%s` placeholders."""
    try:
        return _fetch(text, parameters)
    except DatabaseError as error:
        if not is_outdated(error) or _in_transaction():
            raise
        return _fetch(text, parameters)


def command(text: str) -> None:
    """Run what has neither values nor rows, such as BEGIN."""
    opened = _opened()
    if _is_prepared_for(opened):
        opened.validate_no_broken_transaction()
        with opened.wrap_database_errors:
            if _prepared(opened.connection).tell(text):
                return
    with opened.cursor() as cursor:
        cursor.execute(text)


def is_outdated(error: Error) -> bool:
    """Whether a prepared statement no longer fits its table. It is forgotten, so that the work may be done again."""
    return getattr(error.__cause__, "sqlstate", None) in OUTDATED


def was_canceled(error: OperationalError) -> bool:
    """Whether the statement was canceled: it took longer than statement_timeout or the request's budget."""
    cause = error.__cause__
    return getattr(cause, "sqlstate", None) == "57014" or getattr(cause, "sqlite_errorname", "") == "SQLITE_INTERRUPT"


def was_lost(error: Error) -> bool:
    """Whether PostgreSQL could not be reached, or ended the connection: it is restarted, or has crashed.

    What the transaction has changed is undone, unless it is COMMIT that was not answered: nobody knows then.
    """
    cause = error.__cause__
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(_NOT_THERE)


def renew_if_dead() -> bool:
    """Drop the kept connection if the server has ended it since its last use; whether it had. Costs a statement.

    Asked first by what begins with a write, or knows no second try; most requests begin with reads, and ask only when
    one has failed.
    """
    if connection.alias != DEFAULT_DB_ALIAS:
        return False  # what a replica has lost, the primary reads
    if connection.connection is None or connection.in_atomic_block or connection.is_usable():
        return False
    connection.close()
    return True


def _fetch(text: str, parameters: Sequence[Any]) -> list[Row]:
    opened = _opened()
    if opened.vendor != "postgresql":
        with opened.cursor() as cursor:
            return _all_rows(cursor, text, parameters)
    if _is_prepared_for(opened):
        opened.validate_no_broken_transaction()
        with opened.wrap_database_errors:
            rows = _prepared(opened.connection).run(text, parameters)
        if rows is not None:
            return rows
    with _postgresql_cursor() as cursor:
        return _all_rows(cursor, text, parameters)


def _opened() -> BaseDatabaseWrapper:
    """The thread's connection, open: looked up once, as each attribute of the proxy `connection` looks it up."""
    opened = connections[DEFAULT_DB_ALIAS]
    if opened.connection is None:  # else ensure_connection does nothing, at a twentieth of a statement's price
        opened.ensure_connection()
    return opened


def _is_prepared_for(opened: BaseDatabaseWrapper) -> bool:
    """Whether prepared statements may run on it: nobody counts, or looks at, what its cursors run.

    Not asked is settings.DEBUG, which is off in every shop: that would cost a twentieth of a statement again.
    """
    return opened.vendor == "postgresql" and not (opened.execute_wrappers or opened.force_debug_cursor)


def _in_transaction() -> bool:
    """One of Django's, or one that was begun by hand."""
    raw: psycopg.Connection[TupleRow] = connection.connection
    return connection.in_atomic_block or raw.info.transaction_status != TransactionStatus.IDLE


def _all_rows(cursor: CursorWrapper, text: str, parameters: Sequence[Any]) -> list[Row]:
    cursor.execute(text, parameters)
    rows: list[Row] = cursor.fetchall()
    return rows


class _TextCursor(psycopg.Cursor[Row]):
    """A cursor with the connection's kept adapters: made for each statement, they cost a fifth of it.

    It prepares nothing: the driver would drop all prepared statements of the session when it has prepared any itself
    and then a savepoint is rolled back.
    """

    @property
    def adapters(self) -> AdaptersMap:
        """The connection's, with timestamps and JSON as text."""
        return _prepared(self.connection).adapters

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        """Like the driver's own, but never prepared."""
        return super().execute(query, params, **{**options, "prepare": False})


_kept: WeakKeyDictionary[psycopg.Connection[TupleRow], PreparedStatements] = WeakKeyDictionary()


def _prepared(raw: psycopg.Connection[TupleRow]) -> PreparedStatements:
    statements = _kept.get(raw)
    if statements is None:
        adapters = AdaptersMap(raw.adapters)
        adapters.register_loader("timestamptz", TextLoader)
        adapters.register_loader("jsonb", TextLoader)
        statements = _kept[raw] = PreparedStatements(raw, adapters)
    return statements


def _postgresql_cursor() -> CursorWrapper:
    cursor: Any = _TextCursor(connection.connection)
    return connection.make_debug_cursor(cursor) if connection.queries_logged else connection.make_cursor(cursor)
