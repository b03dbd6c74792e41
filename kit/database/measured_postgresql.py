"""PostgreSQL connections that keep to the request's budget of database time.

psycopg waits in `Connection.wait` for everything that it sends, and wakes there at an interval, which lets the thread
cancel its own statement. statement_timeout would not do: setting it costs a round trip, and it counts waits for locks.
"""

from collections.abc import Generator
from contextlib import closing, suppress
from time import perf_counter
from typing import LiteralString, TypeVar

import psycopg
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.abc import PQGen
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from kit.database.database_time import Budget, running
from kit.observability import metering

Result = TypeVar("Result")

LOOK_SECONDS = 0.1
_SHORTEST_LOOK_SECONDS = 0.005  # what a statement may take once the budget is over
_CANCEL_SECONDS = 2.0
_REPLICA_CANCEL_SECONDS = 0.3


def measure(*, connection: BaseDatabaseWrapper, **signal: object) -> None:
    """Receiver of Django's connection_created: makes the driver's connection a MeasuredConnection."""
    if connection.vendor == "postgresql":
        raw: psycopg.Connection[TupleRow] = connection.connection
        # Neither Django nor psycopg.connect() lets us choose the class.
        raw.__class__ = ReplicaConnection if connection.alias in settings.REPLICA_ALIASES else MeasuredConnection


class MeasuredConnection(psycopg.Connection[TupleRow]):
    """A connection whose statements count towards the thread's budget, and are canceled when it is over.

    A second connection finds out whether a statement waits for a lock. It is opened for a statement that takes longer
    than LOOK_SECONDS, and closed when that ends.
    """

    def wait(self, gen: PQGen[Result], interval: float = LOOK_SECONDS, timeout: float | None = None) -> Result:
        """Like psycopg's own `wait`. Raises QueryCanceled when the budget is over."""
        budget = running()
        if budget is None:
            return super().wait(gen, interval, timeout)
        interval = min(interval, max(budget.left, _SHORTEST_LOOK_SECONDS))
        with budget:
            return super().wait(self._watched(gen, budget), interval, timeout)

    def _watched(self, gen: PQGen[Result], budget: Budget) -> PQGen[Result]:
        """The same generator, with a look at the budget whenever nothing has come within the interval."""
        lookout: Generator[None, None, None] | None = None
        try:
            awaited = next(gen)
            while True:
                ready = yield awaited
                if not ready:
                    lookout = lookout or self._lookout(budget)
                    next(lookout, None)
                awaited = gen.send(ready)
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            if lookout:
                lookout.close()

    def _lookout(self, budget: Budget) -> Generator[None, None, None]:
        """Looks at the running statement at each step, and ends when it has canceled it."""
        seen = perf_counter()
        with closing(self.observer()) as observer:
            while True:
                if observer.sees_waiting():
                    _spare(budget, perf_counter() - seen)
                elif budget.ends_now():
                    break
                seen = perf_counter()
                yield
        self._cancel()

    def observer(self) -> "Observer":
        """What sees whether this connection's statement waits for a lock."""
        given: dict[str, str | int | None] = {**self.info.get_parameters(), "password": self.info.password}
        query = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
        return Observer(make_conninfo("", **given), query, self.info.backend_pid)

    def _cancel(self, *, timeout: float = _CANCEL_SECONDS) -> None:
        """Cancel the statement; returns when the server has delivered the signal, so that it cannot hit the next one.

        If that is not certain, closes the connection: OperationalError, as when the server has gone.
        """
        try:
            self.cancel_safe(timeout=timeout)
        except psycopg.Error:
            self.pgconn.finish()
            raise


class ReplicaConnection(MeasuredConnection):
    """A connection to a read replica, where no statement of ours waits for a lock that counts."""

    def _lookout(self, budget: Budget) -> Generator[None, None, None]:
        while not budget.ends_now():
            yield
        self._cancel(timeout=_REPLICA_CANCEL_SECONDS)


def _spare(budget: Budget, seconds: float) -> None:
    """Do not count seconds of waiting for a lock in the budget, but report them."""
    budget.spare(seconds)
    if metering.IS_ON:
        from kit.observability import metrics  # noqa: PLC0415 - not loaded where metrics are off

        metrics.lock_wait_seconds.inc(seconds)


class Observer:
    """Sees whether another connection's statement waits for a lock.

    conninfo: where to connect. query: a statement that has a row if it waits, with a placeholder for the value.
    """

    def __init__(self, conninfo: str, query: LiteralString, value: str | int | None) -> None:
        self._query, self._value = query, value
        self._connection: psycopg.Connection[TupleRow] | None = None
        with suppress(psycopg.Error):
            limited = make_conninfo(conninfo, connect_timeout=2, options="-c statement_timeout=1000")
            self._connection = psycopg.connect(limited, autocommit=True)

    def sees_waiting(self) -> bool:
        """Whether the statement waits now. False if the database cannot report that, so that the time counts."""
        if self._connection is None:
            return False
        try:
            return self._connection.execute(self._query, [self._value]).fetchone() is not None
        except psycopg.Error:
            return False

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
