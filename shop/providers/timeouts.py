"""Calling a provider with a timeout that covers everything.

That includes waits that its own timeout may miss, such as DNS lookups.
"""

from collections.abc import Callable
from concurrent.futures import Future
from threading import BoundedSemaphore, Thread
from typing import TypeVar

from django.db import connections

Result = TypeVar("Result")

_slots = BoundedSemaphore(16)
"""At most 16 calls run at a time in a process. One that has timed out counts until it ends."""


def call_with_timeout(call: Callable[[], Result], *, seconds: float) -> Result:
    """Run the call in a thread of its own and return its result. Raises TimeoutError, and what the call raises."""
    if not _slots.acquire(blocking=False):
        raise TimeoutError("Too many provider calls are still running")
    future: Future[Result] = Future()
    Thread(target=_make, args=(call, future), name="provider-call", daemon=True).start()
    return future.result(timeout=seconds)


def _make(call: Callable[[], Result], future: "Future[Result]") -> None:
    try:
        future.set_result(call())
    except Exception as failure:  # noqa: BLE001 - raised where the call was asked for
        future.set_exception(failure)
    finally:
        connections.close_all()
        _slots.release()
