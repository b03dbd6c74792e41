"""Counts of attempts in the table."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import F

from kit.database.locking import retry_on_conflict
from kit.database.raw_sql import fetch
from kit.safety.throttling.models import Counter
from kit.safety.throttling.windows import Window

_COUNT_MORE = """
INSERT INTO throttling_counter (digest, count, window_end) VALUES {values}
ON CONFLICT (digest) DO UPDATE SET
    count = excluded.count
        + CASE WHEN throttling_counter.window_end < excluded.window_end THEN 0 ELSE throttling_counter.count END,
    window_end = CASE WHEN throttling_counter.window_end < excluded.window_end
                      THEN excluded.window_end ELSE throttling_counter.window_end END
RETURNING digest, count
"""
_READ = "SELECT count FROM throttling_counter WHERE digest = %s AND window_end >= %s"


def count(windows: Sequence[Window]) -> None:
    """Count the attempts in each window, or in none. One statement.

    Raises TooManyRequests, RuntimeError in a transaction.
    """
    retry_on_conflict(lambda: _count(windows))


def uncount(windows: Sequence[Window]) -> None:
    """Subtract one attempt from each window."""
    for window in windows:
        retry_on_conflict(partial(_uncount, window))


def kept(window: Window) -> int:
    """How many attempts the window has. One statement."""
    rows = fetch(_READ, [window.digest, window.window_end])
    return int(rows[0][0]) if rows else 0


def forget(window: Window) -> None:
    """Set the count to zero."""
    Counter.objects.filter(pk=window.digest).delete()


def _count(windows: Sequence[Window]) -> None:
    values = ", ".join(["(%s, %s, %s)"] * len(windows))
    given = [value for each in windows for value in (each.digest, each.amount, each.window_end)]
    with transaction.atomic(durable=True):
        counts = dict(fetch(_COUNT_MORE.format(values=values), given))
        for window in windows:
            if counts[window.digest] > window.attempts:
                raise window.refusal()


def _uncount(window: Window) -> None:
    counted = Counter.objects.filter(pk=window.digest, window_end=window.window_end, count__gt=0)
    counted.update(count=F("count") - 1)
