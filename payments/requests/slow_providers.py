"""Keeps a payment provider that is slow to answer from holding all threads that make urgent calls."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from payments.models import PaymentSession

LINES = 3
"""How many calls of one provider run at once in a process: one less than the threads of the urgent queue."""

SLOW_SECONDS = 1.0
"""A provider whose calls have all run for longer is slow."""

_changed = threading.Condition()
_begun: defaultdict[str, list[float]] = defaultdict(list)


@contextmanager
def line(provider_id: str) -> Iterator[bool]:
    """Take one of the provider's lines for the block. False if the provider is slow: then do not call it here.

    Waits while calls that have just begun hold all lines, but not longer than SLOW_SECONDS.
    """
    begun = time.monotonic()
    is_free = _take(provider_id, begun)
    try:
        yield is_free
    finally:
        if is_free:
            with _changed:
                _begun[provider_id].remove(begun)
                _changed.notify_all()


def provider_of_cart(cart_id: str) -> str:
    """The provider of the cart's payment; empty if there is none."""
    sessions = PaymentSession.objects.not_deleted().filter(collection__cart_id=cart_id).order_by("-pk")
    provider_id: str | None = sessions.values_list("provider_id", flat=True).first()
    return provider_id or ""


def _take(provider_id: str, begun: float) -> bool:
    with _changed:
        calls = _begun[provider_id]
        while len(calls) >= LINES:
            rest = max(calls) + SLOW_SECONDS - time.monotonic()
            if rest <= 0:
                return False
            _changed.wait(rest)
        calls.append(begun)
        return True
