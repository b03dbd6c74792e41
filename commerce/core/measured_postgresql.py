"""PostgreSQL connections that keep to the request's budget of database time.

psycopg passes through `Connection.wait` with everything that it sends, and wakes there every so often, which lets this
thread cancel its own statement. statement_timeout cannot do it: to set it costs a round trip, and it counts lock waits.
"""

from collections.abc import Generator
from contextlib import closing, suppress
from time import perf_counter
from typing import Any, TypeVar

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.abc import PQGen
from psycopg.conninfo import make_conninfo

from commerce.core.database_time import Budget, running

Result = TypeVar("Result")

_LOOK_SECONDS = 0.1
_SHORTEST_LOOK_SECONDS = 0.005  # what a statement may take when the budget is over already
_CANCEL_SECONDS = 2.0


def measure(*, connection: BaseDatabaseWrapper, **signal: Any) -> None:
    """Receiver of Django's connection_created; makes the driver's connection a measured one."""
    if connection.vendor == "postgresql":
        raw: psycopg.Connection[Any] = connection.connection
        raw.__class__ = MeasuredConnection  # neither Django nor psycopg.connect() lets us name the class


class MeasuredConnection(psycopg.Connection[Any]):
    """A connection whose statements count towards the thread's budget, and are cancelled where it is over.

    Whether a statement waits for a lock, a second connection is asked, which is opened for statements that take longer
    than _LOOK_SECONDS and closed when they end.
    """

    def wait(self, gen: PQGen[Result], interval: float = _LOOK_SECONDS, timeout: float | None = None) -> Result:
        """As psycopg's. Raises QueryCanceled where the budget is over."""
        budget = running()
        if budget is None:
            return super().wait(gen, interval, timeout)
        interval = min(interval, max(budget.left, _SHORTEST_LOOK_SECONDS))
        with budget:
            return super().wait(self._watched(gen, budget), interval, timeout)

    def _watched(self, gen: PQGen[Result], budget: Budget) -> PQGen[Result]:
        """The generator itself, which is looked after whenever nothing has come within the interval."""
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
        """Looks at the running statement at each step, and ends when it has cancelled it."""
        seen = perf_counter()
        with closing(_Observer(self)) as observer:
            while True:
                if observer.sees_waiting():
                    budget.spare(perf_counter() - seen)
                elif budget.ends_now():
                    break
                seen = perf_counter()
                yield
        self._cancel()

    def _cancel(self) -> None:
        """Returns when the server has passed the signal on, so that it cannot hit the next statement.

        A connection for which nobody can say that is closed: OperationalError, as where the server has gone.
        """
        try:
            self.cancel_safe(timeout=_CANCEL_SECONDS)
        except psycopg.Error:
            self.pgconn.finish()
            raise


class _Observer:
    """Sees whether another connection's statement waits for a lock."""

    def __init__(self, observed: psycopg.Connection[Any]) -> None:
        self._pid = observed.info.backend_pid
        self._connection: psycopg.Connection[Any] | None = None
        with suppress(psycopg.Error):
            self._connection = psycopg.connect(_conninfo(observed), autocommit=True)

    def sees_waiting(self) -> bool:
        """False also where the database cannot say: the time counts then."""
        if self._connection is None:
            return False
        try:
            found = self._connection.execute("SELECT wait_event_type FROM pg_stat_activity WHERE pid = %s", [self._pid])
            return found.fetchone() == ("Lock",)
        except psycopg.Error:
            return False

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _conninfo(observed: psycopg.Connection[Any]) -> str:
    limits = {"connect_timeout": "2", "options": "-c statement_timeout=1000"}
    given: dict[str, str | int | None] = {**observed.info.get_parameters(), "password": observed.info.password}
    return make_conninfo("", **{**given, **limits})
