"""Counts of attempts in the table."""

from collections.abc import Sequence
from functools import cache, partial

from django.db import connection, transaction
from django.db.models import F

from kit.database.locking import retry_on_conflict
from kit.database.raw_sql import fetch
from kit.safety.throttling.models import Counter
from kit.safety.throttling.windows import Window

_COUNT = """
INSERT INTO throttling_counter (digest, count, window_end) VALUES {rows}
ON CONFLICT (digest) DO UPDATE SET
    count = excluded.count + {kept},
    window_end = CASE WHEN throttling_counter.window_end < excluded.window_end
                      THEN excluded.window_end ELSE throttling_counter.window_end END
WHERE excluded.count + {kept} <= CASE excluded.digest {limits} END
RETURNING digest
"""
_KEPT = "CASE WHEN throttling_counter.window_end < excluded.window_end THEN 0 ELSE throttling_counter.count END"
_READ = "SELECT count FROM throttling_counter WHERE digest = %s AND window_end >= %s"


def count(windows: Sequence[Window]) -> None:
    """Count the attempts in each window, or in none. One statement, more if it is refused by some of the windows.

    Raises TooManyRequests, RuntimeError in a transaction.
    """
    if connection.in_atomic_block:
        with transaction.atomic(durable=True):  # raises, but not in the transaction of a test case
            pass
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
    """Without a transaction, whose BEGIN and COMMIT would cost as much again."""
    for window in windows:
        if window.amount > window.attempts:
            raise window.refusal()
    rows = [value for each in windows for value in (each.digest, each.amount, each.window_end)]
    limits = [value for each in windows for value in (each.digest, each.attempts)]
    counted = {digest for (digest,) in fetch(_statement(len(windows)), [*rows, *limits])}
    refused = [window for window in windows if window.digest not in counted]
    if refused:
        uncount([window for window in windows if window.digest in counted])
        raise refused[0].refusal()


@cache
def _statement(windows: int) -> str:
    rows, limits = ", ".join(["(%s, %s, %s)"] * windows), "WHEN %s THEN %s " * windows
    return _COUNT.format(rows=rows, kept=_KEPT, limits=limits)


def _uncount(window: Window) -> None:
    kept = Counter.objects.filter(pk=window.digest, window_end=window.window_end, count__gte=window.amount)
    kept.update(count=F("count") - window.amount)
