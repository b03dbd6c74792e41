"""Runs SQL texts that read on PostgreSQL, for `raw_sql`, which imports this only there: SQLite needs no driver.

The server binds their values, so that a repeated statement is prepared (the ORM's cursor binds in the client and never
prepares); that saves the server a third of its work, and the web process four fifths of a cursor's.
"""

from collections.abc import Sequence
from typing import Any, Self
from weakref import WeakKeyDictionary

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg.adapt import AdaptersMap
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow
from psycopg.types.string import TextLoader

from kit.database.prepared_statements import PreparedStatements

Row = tuple[Any, ...]


def fetch(opened: BaseDatabaseWrapper, text: str, parameters: Sequence[Any]) -> list[Row]:
    """All rows of one statement on this open connection."""
    if _may_prepare(opened):
        opened.validate_no_broken_transaction()
        with opened.wrap_database_errors:
            rows = _prepared(opened.connection).run(text, parameters)
        if rows is not None:
            return rows
    with _text_cursor(opened) as cursor:
        cursor.execute(text, parameters)
        found: list[Row] = cursor.fetchall()
        return found


def tell(opened: BaseDatabaseWrapper, text: str) -> bool:
    """Run what has neither values nor rows; returns whether it did, else a cursor must run it."""
    if not _may_prepare(opened):
        return False
    opened.validate_no_broken_transaction()
    with opened.wrap_database_errors:
        return _prepared(opened.connection).tell(text)


def is_idle(raw: "psycopg.Connection[TupleRow]") -> bool:
    """Whether no transaction is open, not even one that was begun by hand."""
    return raw.info.transaction_status == TransactionStatus.IDLE


def _may_prepare(opened: BaseDatabaseWrapper) -> bool:
    """Whether prepared statements may run on it: nobody counts, or looks at, what its cursors run.

    Not asked is settings.DEBUG, which is off in every shop: that would cost a twentieth of a statement again.
    """
    return not (opened.execute_wrappers or opened.force_debug_cursor)


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


def _text_cursor(opened: BaseDatabaseWrapper) -> CursorWrapper:
    cursor: Any = _TextCursor(opened.connection)
    return opened.make_debug_cursor(cursor) if opened.queries_logged else opened.make_cursor(cursor)
