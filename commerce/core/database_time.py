"""One budget of the database's time for all statements of a request, kept by the thread that serves it.

The drivers measure: measured_postgresql.py and measured_sqlite.py. They look at the budget from within the thread that
waits for the statement, so that no statement but the running one can be cancelled. Source: behaviour.md 0.39.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Budget:
    """Seconds for statements; `with budget:` stands around each one that counts."""

    __slots__ = ("_began", "_limit", "_spent", "is_over")

    def __init__(self, seconds: float) -> None:
        self._limit = seconds
        self._spent = 0.0
        self._began: float | None = None
        self.is_over = False

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *exception: object) -> None:
        self._spent += self._running()
        self._began = None

    @property
    def left(self) -> float:
        """Seconds that no ended statement has taken; negative beyond the budget."""
        return self._limit - self._spent

    def spare(self, seconds: float) -> None:
        """Do not count so many seconds of the running statement: it waited for a lock."""
        self._spent -= seconds

    def ends_now(self) -> bool:
        """Whether the running statement is to be cancelled; remembers that the budget is over."""
        if not self.is_over:
            self.is_over = self._running() > self.left
        return self.is_over

    def _running(self) -> float:
        return 0.0 if self._began is None else perf_counter() - self._began


class _Thread(threading.local):
    budget: Budget | None = None


_thread = _Thread()


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """The thread's statements within may take so many seconds, all together; 0 for any time.

    The one that takes longer is cancelled: OperationalError, for which `database.was_given_up` holds. Time that it
    waits for a lock does not count. So is each later one, unless it is quick, as a ROLLBACK is.
    """
    before = _thread.budget
    _thread.budget = Budget(seconds) if seconds else None
    try:
        yield
    finally:
        _thread.budget = before


def lift() -> None:
    """Let the thread's statements take any time until the enclosing `bounded` ends."""
    _thread.budget = None


def running() -> Budget | None:
    """The thread's budget, if it has one."""
    return _thread.budget


def is_over() -> bool:
    """Whether a statement of the thread was cancelled because the budget was over."""
    return _thread.budget is not None and _thread.budget.is_over
