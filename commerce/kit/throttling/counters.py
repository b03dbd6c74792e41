"""Counts attempts, so that guessing and flooding stay slow whatever process answers.

Windows are fixed and begin at multiples of their length: around a window's turn at most twice the limit gets through.
Limits are settings.THROTTLES, `{throttle: (attempts, seconds)}`. Counted in the table, or in the cache with REDIS_URL.
Source: behaviour.md 0.11.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F

from commerce.kit.core.batched_deletion import delete_in_batches
from commerce.kit.core.database import fetch
from commerce.kit.core.errors import TooManyRequests, Unavailable
from commerce.kit.core.keyed_digests import keyed_digest
from commerce.kit.core.locking import retry_on_conflict
from commerce.kit.throttling.models import Counter

_COUNT_ONE_MORE = """
INSERT INTO throttling_counter (digest, count, window_end) VALUES (%s, 1, %s)
ON CONFLICT (digest) DO UPDATE SET
    count = CASE WHEN throttling_counter.window_end < excluded.window_end THEN 1 ELSE throttling_counter.count + 1 END,
    window_end = CASE WHEN throttling_counter.window_end < excluded.window_end
                      THEN excluded.window_end ELSE throttling_counter.window_end END
RETURNING count
"""
_READ = "SELECT count FROM throttling_counter WHERE digest = %s AND window_end >= %s"


@contextmanager
def counted(subjects: Mapping[str, str]) -> Iterator[None]:
    """Count the attempt in the block, unless the server had no room for it (Unavailable)."""
    hit_each(subjects)
    try:
        yield
    except Unavailable:
        uncount(subjects)
        raise


def hit(*, throttle: str, subject: str) -> None:
    """Count one attempt of one subject; see `hit_each`."""
    hit_each({throttle: subject})


def hit_each(subjects: Mapping[str, str]) -> None:
    """Count one attempt of each subject, by its throttle; or none of them if one has no attempt left.

    Count before the attempt: parallel tries then cannot slip past the limit. The counts are kept whatever becomes of
    the request, so never call this inside a transaction (RuntimeError). Callers that count by several throttles must
    name them in the same order everywhere, since the rows are locked in it.
    Raises TooManyRequests if a window already has as many attempts as the setting allows.
    """
    windows = _current(subjects)
    if settings.REDIS_URL:
        _count_in_cache(windows)
    else:
        retry_on_conflict(lambda: _count_in_table(windows))


def uncount(subjects: Mapping[str, str]) -> None:
    """Subtract one attempt from each subject's count, since it succeeded or was not made."""
    for window in _current(subjects):
        (_uncount_in_cache if settings.REDIS_URL else _uncount_in_table)(window)


def check(*, throttle: str, subject: str) -> None:
    """Refuse a subject without attempts left, and count nothing: for attempts that count only if they fail.

    Parallel attempts can all pass before the first has failed. One statement.
    Raises TooManyRequests once the window holds as many attempts as the setting allows.
    """
    (window,) = _current({throttle: subject})
    if (_kept_in_cache if settings.REDIS_URL else _kept_in_table)(window) >= window.attempts:
        raise window.refusal()


def reset(*, throttle: str, subject: str) -> None:
    """Set the subject's count to zero: its attempt succeeded."""
    (window,) = _current({throttle: subject})
    if settings.REDIS_URL:
        cache.delete(window.cache_key)
    else:
        Counter.objects.filter(pk=window.digest).delete()


def discard_expired() -> int:
    """Delete the counters whose window is over; returns how many. The cache discards its own."""
    return delete_in_batches(Counter.objects.filter(window_end__lte=int(time.time())))


@dataclass(frozen=True, slots=True)
class _Window:
    """One subject's present window of one throttle. window_end: seconds since 1970, UTC."""

    digest: str
    attempts: int
    seconds: int
    window_end: int

    @property
    def cache_key(self) -> str:
        return f"throttle:{self.digest}:{self.window_end}"

    def refusal(self) -> TooManyRequests:
        seconds_left = max(1, self.window_end - int(time.time()))
        return TooManyRequests("Too many attempts, try again later", retry_after=seconds_left)


def _current(subjects: Mapping[str, str]) -> list[_Window]:
    now = int(time.time())
    found = []
    for throttle, subject in subjects.items():
        attempts, seconds = settings.THROTTLES[throttle]
        found.append(_Window(_digest(throttle, subject), attempts, seconds, (now // seconds + 1) * seconds))
    return found


def _digest(throttle: str, subject: str) -> str:
    """Keyed, since e-mail and network addresses are few enough to be guessed from a plain hash."""
    return keyed_digest(f"commerce.throttling.{throttle}", subject)


def _count_in_table(windows: Sequence[_Window]) -> None:
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        for window in windows:
            cursor.execute(_COUNT_ONE_MORE, [window.digest, window.window_end])
            (count,) = cursor.fetchone()
            if count > window.attempts:
                raise window.refusal()


def _uncount_in_table(window: _Window) -> None:
    counted = Counter.objects.filter(pk=window.digest, window_end=window.window_end, count__gt=0)
    retry_on_conflict(lambda: counted.update(count=F("count") - 1))


def _count_in_cache(windows: Sequence[_Window]) -> None:
    for number, window in enumerate(windows):
        cache.add(window.cache_key, 0, timeout=window.seconds)
        if int(cache.incr(window.cache_key)) > window.attempts:
            for counted in windows[: number + 1]:
                _uncount_in_cache(counted)
            raise window.refusal()


def _uncount_in_cache(window: _Window) -> None:
    with suppress(ValueError):  # its window has ended since
        cache.decr(window.cache_key)


def _kept_in_table(window: _Window) -> int:
    rows = fetch(_READ, [window.digest, window.window_end])
    return int(rows[0][0]) if rows else 0


def _kept_in_cache(window: _Window) -> int:
    return int(cache.get(window.cache_key, 0))
