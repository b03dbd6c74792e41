"""Whether this process reports metrics: only the processes of a `serve` with METRICS_PORT do, which names a directory.

Everything else asks `IS_ON` before it imports metrics.py, so that nothing is loaded or counted where metrics are off.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

IS_ON = "PROMETHEUS_MULTIPROC_DIR" in os.environ


@contextmanager
def provider_call(provider_id: str, act: str, *, declines: type[Exception] | tuple[()] = ()) -> Iterator[None]:
    """Count the provider call in the block. Its outcome is answered, declined (`declines` was raised) or failed."""
    if not IS_ON:
        yield
        return
    from kit.observability import metrics  # noqa: PLC0415 - not loaded where metrics are off

    began, outcome = perf_counter(), "failed"
    try:
        yield
        outcome = "answered"
    except declines:
        outcome = "declined"
        raise
    finally:
        metrics.provider_seconds.labels(provider_id, act, outcome).observe(perf_counter() - began)


def count_lock_conflict(reason: str) -> None:
    """Count work that lost a race for rows or waited too long for a lock. reason: its SQLSTATE, or SQLITE_BUSY."""
    _count("lock_conflicts", reason)


def count_redis_error(reason: str) -> None:
    """Count a command that Redis did not carry out. reason: the name of its error."""
    _count("redis_errors", reason)


def count_redis_fallback(use: str) -> None:
    """Count an answer that the database gave in place of Redis. use: such as `throttles`."""
    _count("redis_fallbacks", use)


def count_replica_read(replica: str, outcome: str) -> None:
    """Count a read of the catalogue for which a replica was asked. outcome: answered, or repeated on the primary."""
    _count("replica_reads", replica, outcome)


def _count(counter: str, *labels: str) -> None:
    """Add one to a counter of metrics.py."""
    if IS_ON:
        from kit.observability import metrics  # noqa: PLC0415 - not loaded where metrics are off

        getattr(metrics, counter).labels(*labels).inc()
