"""Running a failed background task again."""

from typing import Any
from uuid import UUID

from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult, get_date_max

from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.values.timestamps import now


class TaskHasNotFailed(NotAllowed):
    """Only a failed task can be retried."""

    message = "The task has not failed"


def retry_task(*, actor: Actor, task_id: UUID) -> None:
    """Put the failed task at the end of its queue. Its traceback stays until it has ended again.

    Tasks read what they are about again, and do nothing if that is finished already. Raises TaskHasNotFailed, also for
    the second of two retries at once, and Forbidden.
    """
    actor.require("django_tasks_database.change_dbtaskresult")
    failed = DBTaskResult.objects.filter(pk=task_id, status=TaskResultStatus.FAILED)
    if not failed.update(**queued_again()):
        raise TaskHasNotFailed


def queued_again() -> dict[str, Any]:
    """The columns of a task that waits at the end of its queue."""
    return {
        "status": TaskResultStatus.READY,
        "enqueued_at": now(),  # /health/ready and the metrics measure from there how long it has been waiting
        "run_after": get_date_max(),
        "started_at": None,
        "finished_at": None,
    }
