"""Running a transaction again after work that must not happen inside one, such as calling a provider.

The transaction is rolled back, the work is done, and the transaction runs again with its result.
Why: docs/decisions/taxes.md#providers-are-called-outside-transactions.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")
_MAX_RERUNS = 3


class RerunRequired(Exception):
    """Roll back, do the work, run the transaction again; `retry_on_conflict` does all three."""

    def __init__(self, key: str, work: Callable[[], object]) -> None:
        super().__init__(key)
        self.key, self.work = key, work


@dataclass(slots=True)
class _Reruns:
    left: int = _MAX_RERUNS
    results: dict[str, object] = field(default_factory=dict)


_reruns: ContextVar[_Reruns | None] = ContextVar("reruns of the transaction", default=None)


def result_of(key: str) -> object | None:
    """The result of the work, if it was done before this run of the transaction; else None."""
    reruns = _reruns.get()
    return None if reruns is None else reruns.results.get(key)


def rerun_after(key: str, work: Callable[[], object]) -> None:
    """Roll back, do the work (whose result must not be None) and run the transaction again.

    Returns normally if that is impossible: outside `retry_on_conflict`, or after too many reruns. Raises RerunRequired.
    """
    reruns = _reruns.get()
    if reruns is not None and reruns.left:
        raise RerunRequired(key, work)


def with_reruns(attempt: Callable[[], Result]) -> Result:
    """Call attempt until it needs no rerun. Inside a transaction, once: the outermost caller reruns."""
    if connection.in_atomic_block:
        return attempt()
    reruns = _Reruns()
    outer = _reruns.set(reruns)
    try:
        while True:
            try:
                return attempt()
            except RerunRequired as rerun:
                reruns.left -= 1
                reruns.results[rerun.key] = rerun.work()
    finally:
        _reruns.reset(outer)
