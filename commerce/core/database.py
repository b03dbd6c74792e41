"""Reading by SQL text, at the price of the driver alone.

For the few statements that every request runs. On PostgreSQL their values are bound by the server, so that the driver
prepares a text that comes again (the ORM's cursor binds in the client and never prepares); that saves the server a
third of its work. On both databases timestamps and JSON come as text: parsing them costs more than all else.
"""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.db import NotSupportedError, connection
from django.db.backends.utils import CursorWrapper
from psycopg.adapt import AdaptersMap
from psycopg.types.string import TextLoader

Row = tuple[Any, ...]

_PLAN_OUTDATED = "0A000"  # "cached plan must not change result type": the table was migrated under a running server


def fetch(text: str, parameters: Sequence[Any]) -> list[Row]:
    """All rows of one statement with `%s` placeholders."""
    try:
        return _fetch(text, parameters)
    except NotSupportedError as error:
        if getattr(error.__cause__, "sqlstate", None) != _PLAN_OUTDATED or connection.in_atomic_block:
            raise
        connection.close()
        return _fetch(text, parameters)


def renew_if_dead() -> bool:
    """Drop the kept connection if the server has ended it since its last use; whether it had. Costs a statement.

    Asked first by what begins with a write, or knows no second try; most requests begin with reads, and ask only when
    one has failed.
    """
    if connection.connection is None or connection.in_atomic_block or connection.is_usable():
        return False
    connection.close()
    return True


def _fetch(text: str, parameters: Sequence[Any]) -> list[Row]:
    with _postgresql_cursor() if connection.vendor == "postgresql" else connection.cursor() as cursor:
        cursor.execute(text, parameters)
        rows: list[Row] = cursor.fetchall()
        return rows


class _TextCursor(psycopg.Cursor[Row]):
    """A cursor whose loaders are made once for its connection: made for each statement, they cost a fifth of it."""

    @property
    def adapters(self) -> AdaptersMap:
        """The connection's, with timestamps and JSON as text."""
        shared = _shared.get(self.connection)
        if shared is None:
            shared = _shared[self.connection] = AdaptersMap(self.connection.adapters)
            shared.register_loader("timestamptz", TextLoader)
            shared.register_loader("jsonb", TextLoader)
        return shared


_shared: WeakKeyDictionary[psycopg.Connection[Any], AdaptersMap] = WeakKeyDictionary()


def _postgresql_cursor() -> CursorWrapper:
    connection.ensure_connection()
    cursor: Any = _TextCursor(connection.connection)
    return connection.make_debug_cursor(cursor) if connection.queries_logged else connection.make_cursor(cursor)
