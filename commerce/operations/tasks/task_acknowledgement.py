"""Failures of background tasks that somebody has seen: metrics and alerts count them no longer."""

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.task_recovery import Task
from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.jobs.models import TaskAcknowledgement

IS_ACKNOWLEDGED = Exists(TaskAcknowledgement.objects.filter(task=OuterRef("pk"), finished_at=OuterRef("finished_at")))
"""Of a task: whether its last failure is acknowledged. One that waits for a retry has not finished, so it is not."""


class NothingToAcknowledge(NotAllowed):
    """Only a failed task can be acknowledged, and once for each failure."""

    message = "The task has not failed, or its failure is acknowledged"


def unacknowledged_failures() -> QuerySet[Task]:
    """The failed tasks that nobody has acknowledged."""
    return DBTaskResult.objects.filter(~IS_ACKNOWLEDGED, status=TaskResultStatus.FAILED, finished_at__isnull=False)


def acknowledge_task(*, actor: Actor, task_id: UUID) -> None:
    """Count the task's failure no longer; it stays listed with its traceback, until `prune` deletes it.

    If the task is retried and fails again, that is counted. Raises NothingToAcknowledge and Forbidden.
    """
    actor.require("jobs.add_taskacknowledgement")
    finished_at = unacknowledged_failures().filter(pk=task_id).values_list("finished_at", flat=True).first()
    if finished_at is None:
        raise NothingToAcknowledge
    by = actor.id if actor.type == "user" else None
    TaskAcknowledgement.objects.get_or_create(task_id=task_id, finished_at=finished_at, defaults={"by_id": by})
