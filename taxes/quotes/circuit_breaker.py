"""A provider that keeps timing out is not called for a while, so that not every change of a cart waits for it.

Only time-outs count: a shopper can make a provider fail at once, with a postal code that it does not know. Each process
counts its own.
"""

import time

MOST_TIMEOUTS = 3
"""In a row."""
SECONDS = 30

_timeouts: dict[str, int] = {}
_open_until: dict[str, float] = {}


def is_open(provider_id: str) -> bool:
    """Whether the provider is not to be called now."""
    return time.monotonic() < _open_until.get(provider_id, 0)


def note(provider_id: str, *, timed_out: bool) -> None:
    """Count a call that has ended. The first time-out after the pause opens it again."""
    _timeouts[provider_id] = _timeouts.get(provider_id, 0) + 1 if timed_out else 0
    if _timeouts[provider_id] >= MOST_TIMEOUTS:
        _open_until[provider_id] = time.monotonic() + SECONDS
