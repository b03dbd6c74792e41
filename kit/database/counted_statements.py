"""Connections that report the time of each statement. Import this only where `metering.IS_ON`.

They replace the measured connections, so that counting costs nothing where metrics are off.
"""

import sqlite3
from time import perf_counter
from typing import Any, TypeVar

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from psycopg.abc import PQGen

from kit.database import measured_postgresql, measured_sqlite
from kit.observability.metrics import statement_seconds

Result = TypeVar("Result")


def count_statements(*, connection: BaseDatabaseWrapper, **signal: object) -> None:
    """Receiver of Django's connection_created, after measured_postgresql.measure."""
    is_postgresql = connection.vendor == "postgresql"
    connection.connection.__class__ = _PostgreSQLConnection if is_postgresql else _SQLiteConnection


class _PostgreSQLConnection(measured_postgresql.MeasuredConnection):
    def wait(
        self, gen: PQGen[Result], interval: float = measured_postgresql.LOOK_SECONDS, timeout: float | None = None
    ) -> Result:
        """Every round trip waits here, COMMIT too."""
        began = perf_counter()
        try:
            return super().wait(gen, interval, timeout)
        finally:
            statement_seconds.observe(perf_counter() - began)


class _SQLiteConnection(measured_sqlite.MeasuredConnection):
    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        return sqlite3.Connection.cursor(self, _SQLiteCursor if factory is SQLiteCursorWrapper else factory)


class _SQLiteCursor(measured_sqlite.MeasuredCursor):
    def execute(self, query: str, params: Any = None) -> Any:
        began = perf_counter()
        try:
            return super().execute(query, params)
        finally:
            statement_seconds.observe(perf_counter() - began)
