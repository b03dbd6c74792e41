"""A limit on the calls of a web process to one payment provider, so that a slow one cannot block all threads."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from django.conf import settings

from shop.errors import ProviderUnavailable

QUICK_SECONDS = 2.0
"""Requests wait for a slot behind calls that are younger than this."""

_changed = Condition()
_busy: dict[str, list[float]] = defaultdict(list)
"""The start times of the running calls, by provider id."""


@contextmanager
def slot_of(provider_id: str) -> Iterator[None]:
    """Hold one of the process's settings.PAYMENT_LINES slots for the provider during the block.

    If all are taken, wait while the latest call is younger than QUICK_SECONDS, and not at all behind slow calls.
    Raises ProviderUnavailable.
    """
    began = _taken(provider_id)
    try:
        yield
    finally:
        with _changed:
            _busy[provider_id].remove(began)
            _changed.notify_all()


def _taken(provider_id: str) -> float:
    with _changed:
        busy = _busy[provider_id]
        patience = max(busy, default=0.0) + QUICK_SECONDS - time.monotonic()
        if not _changed.wait_for(lambda: len(busy) < settings.PAYMENT_LINES, timeout=max(patience, 0.0)):
            raise ProviderUnavailable(f"payment provider {provider_id}", is_retried=True)
        began = time.monotonic()
        busy.append(began)
        return began
