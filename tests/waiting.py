"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable


def until(is_so: Callable[[], object], seen: Callable[[], object] = lambda: "too late", *, seconds: float = 30) -> None:
    """Wait until it is so, and fail after so many seconds with what is seen then."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, seen()
        time.sleep(0.02)
