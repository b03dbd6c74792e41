"""Counts attempts, so that guessing and flooding stay slow whatever process answers.

Windows are fixed and begin at multiples of their length: around a window's turn at most twice the limit gets through.
Limits are settings.THROTTLES, `{throttle: (attempts, seconds)}`. Counted in the table, or in the cache with REDIS_URL.
Source: behaviour.md 0.11.
"""

import time

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.utils.crypto import salted_hmac

from commerce.core.database import fetch
from commerce.core.discarding import discard
from commerce.core.errors import TooManyRequests
from commerce.core.locking import settle
from commerce.throttling.models import Counter

_COUNT_ONE_MORE = """
INSERT INTO throttling_counter (digest, count, window_end) VALUES (%s, 1, %s)
ON CONFLICT (digest) DO UPDATE SET
    count = CASE WHEN throttling_counter.window_end < excluded.window_end THEN 1 ELSE throttling_counter.count + 1 END,
    window_end = CASE WHEN throttling_counter.window_end < excluded.window_end
                      THEN excluded.window_end ELSE throttling_counter.window_end END
RETURNING count
"""
_READ = "SELECT count FROM throttling_counter WHERE digest = %s AND window_end >= %s"


def hit(*, throttle: str, subject: str) -> None:
    """Count one attempt, allowed or not. Count before the attempt: parallel tries then cannot slip past the limit.

    The count stands whatever becomes of the request, hence never call this inside a transaction (RuntimeError).
    Raises TooManyRequests once the window holds more attempts than the setting allows.
    """
    attempts, seconds = settings.THROTTLES[throttle]
    now = int(time.time())
    window_end = _window_end(now, seconds)
    digest = _digest(throttle, subject)
    if settings.REDIS_URL:
        count = _count_in_cache(digest, window_end, seconds)
    else:
        count = settle(lambda: _count_in_table(digest, window_end))
    if count > attempts:
        raise _too_many(window_end - now)


def check(*, throttle: str, subject: str) -> None:
    """Refuse whoever has no attempt left, and count nothing: for what counts as an attempt only once it has failed.

    Those who try in parallel can all pass before the first has failed. One statement.
    Raises TooManyRequests once the window holds as many attempts as the setting allows.
    """
    attempts, seconds = settings.THROTTLES[throttle]
    now = int(time.time())
    window_end = _window_end(now, seconds)
    digest = _digest(throttle, subject)
    if (_kept_in_cache if settings.REDIS_URL else _kept_in_table)(digest, window_end) >= attempts:
        raise _too_many(window_end - now)


def forget(*, throttle: str, subject: str) -> None:
    """Start the subject's count anew: its attempt succeeded."""
    digest = _digest(throttle, subject)
    if settings.REDIS_URL:
        _, seconds = settings.THROTTLES[throttle]
        cache.delete(_cache_key(digest, _window_end(int(time.time()), seconds)))
    else:
        Counter.objects.filter(pk=digest).delete()


def discard_expired() -> int:
    """Delete the counters whose window is over; returns how many. The cache discards its own."""
    return discard(Counter.objects.filter(window_end__lte=int(time.time())))


def _too_many(seconds: int) -> TooManyRequests:
    return TooManyRequests("Too many attempts, try again later", retry_after=seconds)


def _window_end(now: int, seconds: int) -> int:
    return (now // seconds + 1) * seconds


def _digest(throttle: str, subject: str) -> str:
    """Keyed, since e-mail and network addresses are few enough to be guessed from a plain hash."""
    return salted_hmac(f"commerce.throttling.{throttle}", subject, algorithm="sha256").hexdigest()


def _count_in_table(digest: str, window_end: int) -> int:
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_COUNT_ONE_MORE, [digest, window_end])
        (count,) = cursor.fetchone()
    return int(count)


def _count_in_cache(digest: str, window_end: int, seconds: int) -> int:
    key = _cache_key(digest, window_end)
    cache.add(key, 0, timeout=seconds)
    return int(cache.incr(key))


def _kept_in_table(digest: str, window_end: int) -> int:
    rows = fetch(_READ, [digest, window_end])
    return int(rows[0][0]) if rows else 0


def _kept_in_cache(digest: str, window_end: int) -> int:
    return int(cache.get(_cache_key(digest, window_end), 0))


def _cache_key(digest: str, window_end: int) -> str:
    return f"throttle:{digest}:{window_end}"
