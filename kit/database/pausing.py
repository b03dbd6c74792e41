"""Transactions that find out, while they run, that they need what may not happen in one, such as a provider's answer.

Such a transaction pauses: it is rolled back, the work is done without it, and it runs again with the result.
Why: docs/decisions/taxes.md#a-change-pauses-to-ask-the-provider.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")
_MOST = 3


class Paused(Exception):
    """The transaction must run again, with the result of the work. `retry_on_conflict` does both."""

    def __init__(self, key: str, work: Callable[[], object]) -> None:
        super().__init__(key)
        self.key, self.work = key, work


@dataclass(slots=True)
class _Pauses:
    left: int = _MOST
    results: dict[str, object] = field(default_factory=dict)


_pauses: ContextVar[_Pauses | None] = ContextVar("pauses of the work that can run again", default=None)


def result_of(key: str) -> object | None:
    """The result of the work for which an earlier run of this transaction paused; None if it did not."""
    pauses = _pauses.get()
    return None if pauses is None else pauses.results.get(key)


def pause(key: str, work: Callable[[], object]) -> None:
    """Run the transaction again once the work is done, whose result must not be None.

    Returns where that is not possible: without `retry_on_conflict`, and after too many pauses. Raises Paused.
    """
    pauses = _pauses.get()
    if pauses is not None and pauses.left:
        raise Paused(key, work)


def resumed(attempt: Callable[[], Result]) -> Result:
    """Run the attempt, again after each pause. Inside a transaction it runs once: what is around it starts again."""
    if connection.in_atomic_block:
        return attempt()
    pauses = _Pauses()
    outer = _pauses.set(pauses)
    try:
        while True:
            try:
                return attempt()
            except Paused as paused:
                pauses.left -= 1
                pauses.results[paused.key] = paused.work()
    finally:
        _pauses.reset(outer)
