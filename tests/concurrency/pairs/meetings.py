"""Two verbs that meet: the first one stands still after one of its locks, while the second goes as far as it can."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any, NamedTuple

from django.db import connection

from kit.errors import DomainError, Unavailable

_LOCKING = re.compile(r"\b(INSERT|UPDATE|DELETE|pg_advisory_xact_lock)\b")  # UPDATE: also that of SELECT … FOR UPDATE
_LONGEST_WAIT = 0.5
"""Seconds, for what waits in Python and not in the database: for a request that another thread sends."""


class Pause:
    """Stands still after the `at`-th statement that locks or writes in the verb's transaction of that number."""

    def __init__(self, at: int, *, transaction: int = 1) -> None:
        self.statements = 0
        self._at, self._transaction = at, transaction
        self._current, self._is_counted = 1, False
        self.reached, self.go = Event(), Event()

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        done = execute(sql, params, many, context)
        if connection.in_atomic_block:
            if not self._is_counted:
                self._is_counted = True
                connection.on_commit(self._next)
            if self._current == self._transaction and _LOCKING.search(sql):
                self._stand()
        return done

    def _stand(self) -> None:
        self.statements += 1
        if self.statements == self._at:
            self.reached.set()
            assert self.go.wait(30)

    def _next(self) -> None:
        self._current, self._is_counted = self._current + 1, False


class Meeting(NamedTuple):
    """outcomes: `done`, the name of a refusal, or anything else that was raised. waited: whether the second had to."""

    outcomes: tuple[str | Exception, str | Exception]
    waited: bool


class Meetings:
    """Two threads with a database connection each, for one meeting after the other."""

    def __init__(self) -> None:
        self._pools = (ThreadPoolExecutor(1), ThreadPoolExecutor(1))
        self._pids = [pool.submit(_pid).result() for pool in self._pools]

    def alone(self, verb: Callable[[], object], *, transaction: int) -> tuple[str | Exception, int]:
        """What becomes of the verb, and how many statements a pause can follow."""
        pause = Pause(0, transaction=transaction)
        return self._pools[0].submit(_outcome, verb, pause).result(), pause.statements

    def meet(self, first: Callable[[], object], second: Callable[[], object], pause: Pause) -> Meeting:
        """The second begins when the first one pauses, which goes on once the second has ended or waits for it."""
        one = self._pools[0].submit(_outcome, first, pause)
        while not pause.reached.wait(0.002) and not one.done():
            pass
        other = self._pools[1].submit(_outcome, second)
        waited = self._waits(other)
        pause.go.set()
        return Meeting((one.result(), other.result()), waited)

    def _waits(self, other: "Future[str | Exception]") -> bool:
        end = time.monotonic() + _LONGEST_WAIT
        while not other.done():
            with connection.cursor() as cursor:
                cursor.execute("SELECT cardinality(pg_blocking_pids(%s))", [self._pids[1]])
                (blockers,) = cursor.fetchone()
            if blockers or time.monotonic() > end:
                return True
            time.sleep(0.002)
        return False

    def close(self) -> None:
        for pool in self._pools:
            pool.submit(lambda: connection.close()).result()  # noqa: PLW0108 - the thread's own
            pool.shutdown()


@contextmanager
def meetings() -> Iterator[Meetings]:
    made = Meetings()
    try:
        yield made
    finally:
        made.close()


def _pid() -> int:
    connection.ensure_connection()
    pid: int = connection.connection.info.backend_pid
    return pid


def _outcome(verb: Callable[[], object], pause: Pause | None = None) -> str | Exception:
    try:
        if pause is None:
            verb()
        else:
            with connection.execute_wrapper(pause):
                verb()
    except (DomainError, Unavailable) as refusal:
        return type(refusal).__name__
    except Exception as error:  # noqa: BLE001 - the test reports it with the pair
        return error
    return "done"
