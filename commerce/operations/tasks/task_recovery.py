"""Tasks that ended without a result: they are queued again, or listed as failed, and staff can retry them.

Why: docs/decisions/operations.md#what-a-killed-process-had-claimed-is-free-at-once.
"""

from datetime import timedelta

from django_tasks.base import TaskResultStatus
from django_tasks.exceptions import InvalidTaskError
from django_tasks_db.models import DBTaskResult, get_date_max

from commerce.operations.tasks.task_retries import queued_again
from kit.jobs.queues import DEFAULT, JOB_QUEUES, QUEUES
from kit.values.timestamps import now

Task = DBTaskResult[..., object]

FORGOTTEN_AFTER = timedelta(days=1)
"""No task runs for longer: its worker was killed and has not been started again under the same name."""

MOST_RUNS = 5
"""Of a task of ours: what so many processes were killed with is not run again."""

_HASTE = timedelta(seconds=2)
"""A job that kills its process leaves time for others."""

_REFUSED = f"{InvalidTaskError.__module__}.{InvalidTaskError.__qualname__}"


class TaskLost(Exception):
    """The process that ran the task ended before the task did."""


def take_up_lost_tasks(worker_id: str) -> None:
    """Settle the tasks that were running when a worker of this id was killed. Call this when it starts.

    Those of the shop do nothing that is done already, and are queued again; a job goes on with the task that its turn
    had queued for later. Tasks of your own code are marked as failed.
    """
    for task in DBTaskResult.objects.running():
        if task.worker_ids[-1:] == [worker_id] and not (_goes_on_soon(task) or _is_queued_again(task)):
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


def _goes_on_soon(task: Task) -> bool:
    """Lists the task as failed and makes that due which waits for the end of its lease; False if nothing does."""
    waiting = DBTaskResult.objects.filter(status=TaskResultStatus.READY, task_path=task.task_path)
    later = waiting.filter(queue_name__in=JOB_QUEUES, run_after__gt=now()).exclude(run_after=get_date_max())
    ids = [each.pk for each in later if _subject(each) == _subject(task)]
    if ids:
        _fail(task)
    return bool(ids and later.filter(pk__in=ids).update(run_after=now() + _HASTE))


def _is_queued_again(task: Task) -> bool:
    if task.queue_name == DEFAULT or len(task.worker_ids) >= MOST_RUNS:
        return False
    return bool(DBTaskResult.objects.running().filter(pk=task.pk).update(**queued_again()))


def _subject(task: Task) -> object:
    """The id of the job or picture."""
    return next((value for name, value in task.args_kwargs["kwargs"].items() if name.endswith("_id")), None)


def _fail(task: Task) -> None:
    task.set_failed(TaskLost("The process that ran this task ended before the task did"))
