"""The metrics of all processes of a `serve`, at METRICS_PORT of 127.0.0.1: never on the public port."""

import os
import platform
import shutil
from collections.abc import Iterable, Iterator

import django
from django.conf import settings
from django.core.management.base import CommandError
from django.db import Error, connection
from django.db.models import Case, Count, F, Value, When
from django_tasks_db.models import DBTaskResult
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from commerce.operations.backups.last_backup import last_backup
from commerce.operations.monitoring.process_metrics import ProcessesCollector
from commerce.operations.monitoring.queue_ages import oldest_waiting
from commerce.operations.monitoring.table_sizes import database_size, table_sizes
from commerce.operations.tasks.task_acknowledgement import IS_ACKNOWLEDGED
from giftcards.verification.ledger_check import last_check
from kit.messages.mails.models import Mail
from kit.messages.webhooks.models import Delivery
from orders.models import CarrierRequest
from payments.models import Intent

HOST = "127.0.0.1"


def serve_metrics() -> None:
    """Answer at METRICS_PORT from a daemon thread of the background process. Raises OSError if the port is taken."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(ShopCollector())
    registry.register(ProcessesCollector(os.getppid()))
    start_http_server(settings.METRICS_PORT, HOST, registry)


def begin_metrics() -> None:
    """Have the processes that are started from now on report metrics, from 0.

    Raises CommandError if the directory cannot be created, such as below one that root made.
    """
    directory = settings.METRICS_DIR / str(settings.METRICS_PORT)  # two servers of one checkout do not share numbers
    shutil.rmtree(directory, ignore_errors=True)
    try:
        directory.mkdir(parents=True)
    except OSError as error:
        raise CommandError(
            f"METRICS_PORT: {directory} cannot be created: {error.strerror}. Let the user who runs `serve` own "
            f"{settings.METRICS_DIR} and all files in it."
        ) from error
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(directory)


class ShopCollector:
    """What the database and the last ledger check say, read at each scrape by about a dozen statements."""

    def collect(self) -> Iterable[Metric]:
        """Without a database, `commerce_database_up` is 0 and what it would say is missing."""
        try:
            metrics = [*_of_database(), _build_info(connection.get_database_version())]
        except Error:
            metrics = [_gauge("database_up", "Whether the database answers.", {(): 0}), _build_info()]
        finally:
            connection.close()  # each scrape has a thread of its own
        return [*metrics, *_of_ledger(), *_of_backups()]


def _waiting_in_redis() -> dict[str, int]:
    if not settings.TASKS_IN_REDIS:
        return {}
    from commerce.operations.tasks.redis_tasks.lists import waiting  # noqa: PLC0415 - its library is an extra

    return {queue: tasks.number for queue, tasks in waiting().items()}


def _of_database() -> Iterator[Metric]:
    yield _gauge("queue_age_seconds", "How long the oldest work has been due.", _by_label(oldest_waiting()), "queue")
    state = Case(When(IS_ACKNOWLEDGED, then=Value("acknowledged")), default=F("status"))
    tasks = DBTaskResult.objects.order_by().values_list("queue_name", state).annotate(number=Count("pk"))
    counts: dict[tuple[str, ...], float] = {(queue, status.lower()): number for queue, status, number in tasks}
    for queue, number in _waiting_in_redis().items():
        counts[queue, "ready"] = counts.get((queue, "ready"), 0) + number
    yield _gauge("tasks", "Background tasks that are kept.", counts, "queue", "status")
    open_work = {
        "mails": Mail.objects.filter(next_try_at__isnull=False),
        "webhook deliveries": Delivery.objects.pending(),
        "payment requests": Intent.objects.filter(done_at=None),
        "carrier requests": CarrierRequest.objects.filter(done_at=None),
    }
    numbers = {name: float(rows.count()) for name, rows in open_work.items()}
    yield _gauge("open_work", "Rows that a worker or provider has not finished.", _by_label(numbers), "kind")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            yield _gauge("lock_waiters", "Connections that wait for a lock.", {(): cursor.fetchone()[0]})
    yield from _of_sizes()
    yield _gauge("database_up", "Whether the database answers.", {(): 1})


def _build_info(database_version: Iterable[int] = ()) -> Metric:
    """The versions that serve; without a database that answers, not its own."""
    database = " ".join(filter(None, (connection.display_name, ".".join(map(str, database_version)))))
    versions = {"version": settings.VERSION, "python": platform.python_version(), "django": django.get_version()}
    return InfoMetricFamily("commerce_build", "The versions that serve.", {**versions, "database": database})


def _of_sizes() -> Iterator[Metric]:
    yield _gauge("database_bytes", "The size of the database.", {(): database_size()})
    tables = table_sizes()
    yield _gauge("table_bytes", "The size of a table.", {(each.table,): each.size for each in tables}, "table")
    yield _gauge("table_rows", "About how many rows it has.", {(each.table,): each.rows for each in tables}, "table")


def _of_ledger() -> Iterator[Metric]:
    check = last_check()
    if check is not None:
        yield _gauge("ledger_discrepancies", "What the last verify_ledger found.", {(): check.discrepancies})
        yield _gauge("ledger_check_timestamp_seconds", "When verify_ledger last ended.", {(): check.ended_at})


def _of_backups() -> Iterator[Metric]:
    ended_at = last_backup()
    if ended_at is not None:
        yield _gauge("backup_timestamp_seconds", "When the last backup was complete.", {(): ended_at})


def _by_label(values: dict[str, float]) -> dict[tuple[str, ...], float]:
    return {(label,): value for label, value in values.items()}


def _gauge(name: str, text: str, values: dict[tuple[str, ...], float], *labels: str) -> Metric:
    family = GaugeMetricFamily(f"commerce_{name}", text, labels=labels)
    for given, value in values.items():
        family.add_metric(given, value)
    return family
