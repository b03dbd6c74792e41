"""One budget of database time for all statements of a request, kept by the thread that serves it.

The connections measure: measured_postgresql.py and measured_sqlite.py. They check the budget in the thread that waits
for the statement, so that no statement but the running one can be canceled.
Why: docs/decisions/operations.md#the-waiting-thread-enforces-the-time-budget.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Budget:
    """Seconds for statements; each one that counts runs within `with budget:`."""

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
        """Seconds that finished statements have not used; negative once the budget is exceeded."""
        return self._limit - self._spent

    def spare(self, seconds: float) -> None:
        """Do not count these seconds of the running statement: it waited for a lock."""
        self._spent -= seconds

    def ends_now(self) -> bool:
        """Whether to cancel the running statement; records that the budget is over."""
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
    """Limit the thread's statements in the block to this many seconds in total; 0 for no limit.

    The statement that exceeds the limit is canceled: OperationalError, for which `database.was_canceled` holds. So is
    each later one, unless it is as quick as a ROLLBACK. Time spent waiting for a lock does not count.
    """
    before = _thread.budget
    _thread.budget = Budget(seconds) if seconds else None
    try:
        yield
    finally:
        _thread.budget = before


def lift() -> None:
    """Remove the thread's limit until the enclosing `bounded` ends."""
    _thread.budget = None


def running() -> Budget | None:
    """The thread's budget, if it has one."""
    return _thread.budget


def is_over() -> bool:
    """Whether a statement of the thread was canceled because the budget was over."""
    return _thread.budget is not None and _thread.budget.is_over
