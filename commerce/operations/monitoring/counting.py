"""Starts what a process counts beside its requests. Import this only where `metering.IS_ON`."""

from django.db.backends.signals import connection_created
from django_tasks.base import TaskResult
from django_tasks.signals import task_finished

from kit.database.counted_statements import count_statements
from kit.observability import metrics


def start_counting() -> None:
    """Count the statements of new connections, and the background tasks that end."""
    connection_created.connect(count_statements)
    task_finished.connect(_count_task)


def _count_task(*, task_result: TaskResult[object], **signal: object) -> None:
    metrics.tasks_finished.labels(task_result.task.module_path, task_result.status.lower()).inc()
