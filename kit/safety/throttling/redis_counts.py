"""Counts of attempts in Redis, as table_counts.py has them in the table. All raise NoAnswer.

A key is of one window, so that the clock of Redis does not matter: it may live longer than its window, but counts for
no other.
"""

from collections.abc import Sequence

from kit.database.redis_client import ask
from kit.safety.throttling.windows import Window

# Of each key: what it may have already, the seconds it is kept, and how much to add. Returns the number of the first
# key that has more, or 0.
_COUNT = """
for number, key in ipairs(KEYS) do
    if tonumber(redis.call('GET', key) or '0') > tonumber(ARGV[3 * number - 2]) then return number end
end
for number, key in ipairs(KEYS) do
    redis.call('INCRBY', key, ARGV[3 * number])
    redis.call('EXPIRE', key, ARGV[3 * number - 1])
end
return 0
"""
_UNCOUNT = """
for _, key in ipairs(KEYS) do
    if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
"""
_USE = "throttles"


def count(windows: Sequence[Window]) -> None:
    """Count the attempts in each window, or in none. Atomic; one round trip. Raises TooManyRequests."""
    limits = [
        number for window in windows for number in (window.attempts - window.amount, window.seconds, window.amount)
    ]
    refused = ask(lambda redis: redis.eval(_COUNT, len(windows), *map(_key, windows), *limits), use=_USE)
    if refused:
        raise windows[int(refused) - 1].refusal()


def uncount(windows: Sequence[Window]) -> None:
    """Subtract one attempt from each window."""
    ask(lambda redis: redis.eval(_UNCOUNT, len(windows), *map(_key, windows)), use=_USE)


def kept(window: Window) -> int:
    """How many attempts the window has."""
    return int(ask(lambda redis: redis.get(_key(window)), use=_USE) or 0)


def forget(window: Window) -> None:
    """Set the count to zero."""
    ask(lambda redis: redis.delete(_key(window)), use=_USE)


def _key(window: Window) -> str:
    return f"throttle:{window.digest}:{window.window_end}"
