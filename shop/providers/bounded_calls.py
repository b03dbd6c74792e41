"""Calls of a provider's code that are given up after a time, whatever it waits for."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import BoundedSemaphore, Thread
from typing import TypeVar

from django.db import connections

Result = TypeVar("Result")

_free = BoundedSemaphore(16)
"""For the calls that run at a time in this process. One that was given up counts until it ends."""


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """The result of the call, which a thread of its own makes. Raises what it raises, and TimeoutError."""
    if not _free.acquire(blocking=False):
        raise TimeoutError("Too many calls have not ended")
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
        _free.release()
