"""Tasks that ended without a result: they are listed as failed, and staff can retry them, or are queued again."""

from datetime import timedelta

from django_tasks.base import TaskResultStatus
from django_tasks.exceptions import InvalidTaskError
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.task_retries import queued_again
from kit.jobs.queues import QUEUES
from kit.values.timestamps import now

Task = DBTaskResult[..., object]

FORGOTTEN_AFTER = timedelta(days=1)
"""No task runs for longer: its worker was killed and has not been started again under the same name."""

_REFUSED = f"{InvalidTaskError.__module__}.{InvalidTaskError.__qualname__}"


class TaskLost(Exception):
    """The process that ran the task ended before the task did."""


def fail_lost_tasks(worker_id: str) -> None:
    """Mark the tasks as failed that were running when a worker of this id was killed. Call this when it starts."""
    for task in DBTaskResult.objects.running():
        if task.worker_ids[-1:] == [worker_id]:
            _fail(task)


def fail_forgotten_tasks() -> int:
    """Mark tasks as failed that have been running for a day; returns how many."""
    forgotten = list(DBTaskResult.objects.running().filter(started_at__lt=now() - FORGOTTEN_AFTER))
    for task in forgotten:
        _fail(task)
    return len(forgotten)


def requeue_refused_tasks() -> int:
    """Queue tasks again that a worker of an older version has refused, since it does not know their queue."""
    refused = DBTaskResult.objects.filter(status=TaskResultStatus.FAILED, exception_class_path=_REFUSED)
    return refused.filter(queue_name__in=QUEUES).update(**queued_again())


def _fail(task: Task) -> None:
    task.set_failed(TaskLost("The process that ran this task ended before the task did"))
