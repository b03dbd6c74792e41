"""Counts attempts, so that guessing and flooding stay slow whatever process answers.

Limits are settings.THROTTLES, `{throttle: (attempts, seconds)}`. Counted in the table, or with THROTTLES_IN_REDIS in
Redis, and in the table while Redis does not answer. What locks accounts out is always counted in the table.
Why: docs/decisions/operations.md#throttles-are-counted-in-one-place-at-a-time.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from django.conf import settings

from kit.errors import Unavailable
from kit.safety.throttling import table_counts
from kit.safety.throttling.counter_stores import CounterStore
from kit.safety.throttling.models import Counter
from kit.safety.throttling.windows import ONE_EACH, current
from kit.writes.batched_deletion import delete_in_batches

LOCK_OUTS = frozenset({"login_account", "login_account_daily", "registration"})
"""Throttles of guesses at passwords: a lost count allows more of them, and a statement costs little beside a hash."""
_NO_LIMIT = 10**9
Found = TypeVar("Found")


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


def hit_each(subjects: Mapping[str, str], amounts: Mapping[str, int] = ONE_EACH) -> None:
    """Count one attempt of each subject, by its throttle; or none of them if one has no attempt left.

    amounts: by throttle, how many attempts to count in place of one, all or none. One statement.
    Count before the attempt: parallel tries then cannot slip past the limit. The counts are kept whatever becomes of
    the request, so never call this inside a transaction (RuntimeError). Callers that count by several throttles must
    name them in the same order everywhere, since the rows are locked in it.
    Raises TooManyRequests if a window would then have more attempts than the setting allows.
    """
    windows = current(subjects, amounts)
    _in_store(subjects, lambda store: store.count(windows))


def charge(subjects: Mapping[str, str], amounts: Mapping[str, int]) -> None:
    """Count what is done already, like `hit_each`, but also beyond the limit: later attempts are then refused."""
    windows = [replace(window, attempts=_NO_LIMIT) for window in current(subjects, amounts)]
    _in_store(subjects, lambda store: store.count(windows))


def uncount(subjects: Mapping[str, str]) -> None:
    """Subtract one attempt from each subject's count, since it succeeded or was not made."""
    windows = current(subjects)
    _in_store(subjects, lambda store: store.uncount(windows))


def check(*, throttle: str, subject: str) -> None:
    """Refuse a subject without attempts left, and count nothing: for attempts that count only if they fail.

    Parallel attempts can all pass before the first has failed. One statement, or none with Redis.
    Raises TooManyRequests once the window holds as many attempts as the setting allows.
    """
    subjects = {throttle: subject}
    (window,) = current(subjects)
    if _in_store(subjects, lambda store: store.kept(window)) >= window.attempts:
        raise window.refusal()


def reset(*, throttle: str, subject: str) -> None:
    """Set the subject's count to zero: its attempt succeeded. In the table, too, where it counts without Redis."""
    subjects = {throttle: subject}
    (window,) = current(subjects)
    _in_store(subjects, lambda store: store.forget(window))
    if _is_shared(subjects):
        table_counts.forget(window)


def discard_expired() -> int:
    """Delete the counters whose window is over; returns how many. Redis discards its own."""
    return delete_in_batches(Counter.objects.filter(window_end__lte=int(time.time())))


def _in_store(subjects: Mapping[str, str], work: Callable[[CounterStore], Found]) -> Found:
    """Do the work where these subjects are counted together."""
    if _is_shared(subjects):
        from kit.database.redis_client import NoAnswer  # noqa: PLC0415 - its library is an extra
        from kit.safety.throttling import redis_counts  # noqa: PLC0415 - as above

        try:
            return work(redis_counts)
        except NoAnswer:
            pass
    return work(table_counts)


def _is_shared(subjects: Mapping[str, str]) -> bool:
    return settings.THROTTLES_IN_REDIS and LOCK_OUTS.isdisjoint(subjects)
