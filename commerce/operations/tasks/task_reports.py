"""Reports of background tasks that failed. Import this only where SENTRY_DSN is set."""

import sys

from django_tasks.base import TaskResult, TaskResultStatus
from django_tasks.signals import task_finished

from kit.observability.error_reports import report


def report_failed_tasks() -> None:
    """From now on."""
    task_finished.connect(_report)


def _report(*, task_result: TaskResult[object], **signal: object) -> None:
    """The worker sends the signal while it handles the exception."""
    error = sys.exc_info()[1]
    if task_result.status == TaskResultStatus.FAILED and error is not None:
        report(error, work=task_result.task.module_path)
