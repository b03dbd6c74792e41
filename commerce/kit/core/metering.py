"""Whether this process reports metrics: only the processes of a `serve` with METRICS_PORT do, which names a directory.

Everything else asks `IS_ON` before it imports metrics.py, so that nothing is loaded or counted where metrics are off.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

IS_ON = "PROMETHEUS_MULTIPROC_DIR" in os.environ


@contextmanager
def provider_call(provider_id: str, act: str, *, declines: type[Exception]) -> Iterator[None]:
    """Count the provider call in the block. Its outcome is answered, declined (`declines` was raised) or failed."""
    if not IS_ON:
        yield
        return
    from commerce.kit.core import metrics  # noqa: PLC0415 - not loaded where metrics are off

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
    if IS_ON:
        from commerce.kit.core import metrics  # noqa: PLC0415 - not loaded where metrics are off

        metrics.lock_conflicts.labels(reason).inc()


def count_redis_error(reason: str) -> None:
    """Count a command that Redis did not carry out. reason: the name of its error."""
    if IS_ON:
        from commerce.kit.core import metrics  # noqa: PLC0415 - not loaded where metrics are off

        metrics.redis_errors.labels(reason).inc()


def count_redis_fallback(use: str) -> None:
    """Count an answer that the database gave in place of Redis. use: such as `throttles`."""
    if IS_ON:
        from commerce.kit.core import metrics  # noqa: PLC0415 - not loaded where metrics are off

        metrics.redis_fallbacks.labels(use).inc()


def count_replica_read(replica: str, outcome: str) -> None:
    """Count a read of the catalogue for which a replica was asked. outcome: answered, or repeated on the primary."""
    if IS_ON:
        from commerce.kit.core import metrics  # noqa: PLC0415 - not loaded where metrics are off

        metrics.replica_reads.labels(replica, outcome).inc()
