"""What the processes of `serve` count, for Prometheus. docs/operators/monitoring.md lists the names.

prometheus-client keeps the numbers of each process in files of PROMETHEUS_MULTIPROC_DIR, where one process reads them
all. Import this only where `metering.IS_ON`.
"""

from prometheus_client import Counter, Histogram

from kit.observability.metric_files import use_allocated_files

use_allocated_files()

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

requests = Counter("commerce_requests", "Answered requests.", ["route", "method", "status"])
request_seconds = Histogram(
    "commerce_request_seconds",
    "Time to answer a request.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
statement_seconds = Histogram(
    "commerce_statement_seconds",
    "Time of a round trip to the database.",
    buckets=(0.001, 0.005, 0.02, 0.1, 0.5, 2, 10),
)
lock_wait_seconds = Counter("commerce_lock_wait_seconds", "Time that requests have waited for locks on PostgreSQL.")
lock_conflicts = Counter("commerce_lock_conflicts", "Work that the database refused because of other work.", ["reason"])
replica_reads = Counter(
    "commerce_replica_reads", "Reads that a replica answered or the primary repeated.", ["replica", "outcome"]
)
provider_seconds = Histogram(
    "commerce_provider_seconds",
    "Time of a call of a payment, fulfillment or tax provider.",
    ["provider", "act", "outcome"],
    buckets=(0.1, 0.5, 1, 2, 5, 10, 30, 60),
)
tasks_finished = Counter("commerce_tasks_finished", "Background tasks that ended.", ["task", "status"])
redis_errors = Counter("commerce_redis_errors", "Commands that Redis did not carry out.", ["reason"])
redis_fallbacks = Counter("commerce_redis_fallbacks", "Work that the database did in place of Redis.", ["use"])


def count_request(route: str | None, method: str | None, status: int, seconds: float) -> None:
    """Count an answered request. route: the pattern of its URL; None where no route matches.

    Labels have few values whatever clients send: unknown methods count as `other`.
    """
    pattern = route if route is not None else "none"
    requests.labels(pattern, method if method in _METHODS else "other", status).inc()
    request_seconds.labels(pattern).observe(seconds)
