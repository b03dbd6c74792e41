"""SQLite connections that keep to the request's budget of database time.

SQLite works in this thread, and calls a handler every _STEPS steps of its virtual machine, which decides whether to go
on. So no other thread is needed, and nothing but the running statement can be interrupted.
"""

import sqlite3
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX, SQLiteCursorWrapper

from kit.database.database_time import running

_STEPS = 100_000  # about a millisecond; each look has to wait for the threads that compute in Python
_READS = ("SELECT", "WITH")


class MeasuredConnection(sqlite3.Connection):
    """A connection whose statements count towards the thread's budget, and are interrupted when it is over."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.set_progress_handler(_ends_now, _STEPS)

    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        """Measure Django's cursors; nothing else opens cursors within a request."""
        return super().cursor(MeasuredCursor if factory is SQLiteCursorWrapper else factory)


def _measured(run: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a cursor, with its time counted."""

    @wraps(run)
    def measured(*given: Any) -> Any:
        budget = running()
        if budget is None:
            return run(*given)
        with budget:
            return run(*given)

    return measured


class MeasuredCursor(SQLiteCursorWrapper):
    """Counts fetching too, since SQLite computes rows when they are fetched."""

    executemany = _measured(SQLiteCursorWrapper.executemany)
    fetchone = _measured(SQLiteCursorWrapper.fetchone)
    fetchmany = _measured(SQLiteCursorWrapper.fetchmany)
    fetchall = _measured(SQLiteCursorWrapper.fetchall)
    __next__ = _measured(SQLiteCursorWrapper.__next__)
    _measured_execute = _measured(SQLiteCursorWrapper.execute)

    def execute(self, query: str, params: Any = None) -> Any:
        """Statements that may wait for the only lock, such as BEGIN IMMEDIATE, are not counted."""
        if self.connection.in_transaction or query.startswith(_READS):
            return self._measured_execute(query, params)
        return super().execute(query, params)

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        """Once for each text: with long ones, it would cost as much as running them."""
        return _converted(query) if param_names is None else super().convert_query(query, param_names=param_names)


@lru_cache(maxsize=256)
def _converted(query: str) -> str:
    """`?` for `%s`, as Django writes it."""
    return FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


def _ends_now() -> bool:
    budget = running()
    return budget is not None and budget.ends_now()
