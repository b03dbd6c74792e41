"""How many requests of a web process wait for one payment provider, so that a slow one leaves threads to the shop."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from django.conf import settings

from commerce.shop.errors import ProviderUnavailable

QUICK_SECONDS = 2.0
"""Whom a provider answers within it, others wait for."""

_changed = Condition()
_busy: dict[str, list[float]] = defaultdict(list)
"""When each call that runs began, by the provider's id."""


@contextmanager
def slot_of(provider_id: str) -> Iterator[None]:
    """One of the process's settings.PAYMENT_LINES to the provider, while the block lasts.

    Who finds all of them busy waits while the latest call may yet be a quick one, and not at all behind slow ones.
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
