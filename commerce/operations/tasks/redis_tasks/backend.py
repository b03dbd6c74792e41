"""The backend of `TASKS`: queues tasks in Redis after the commit."""

from collections.abc import Iterable
from functools import partial
from typing import Any, cast
from uuid import UUID, uuid4

import structlog
from django.core.checks import CheckMessage
from django.db import transaction
from django_tasks.base import Task, TaskResult, TaskResultStatus
from django_tasks.signals import task_enqueued
from django_tasks_db import DatabaseBackend
from django_tasks_db.models import DBTaskResult
from django_tasks_rq import RQBackend
from django_tasks_rq.backend import Job

from commerce.operations.tasks.redis_tasks.jobs import columns, fetch, push
from kit.database.redis_client import NoAnswer, ask
from kit.jobs.queues import JOB_QUEUES
from kit.values.timestamps import now

log = structlog.get_logger(__name__)


class RedisBackend(RQBackend):
    """Sends tasks to Redis once their transaction commits, and drops them if it does not.

    Three kinds wait in the table of tasks instead: those of jobs and pictures, which only continue by their task, and
    Redis could lose it; those that are due later; and those that Redis does not accept.
    """

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self._table: Any = DatabaseBackend(alias, params)  # its annotations name Django's own tasks

    def enqueue(self, task: Task[..., Any], args: Any, kwargs: Any) -> TaskResult[Any]:
        """Queue the task. The result is in the table once a thread runs it."""
        if task.queue_name in JOB_QUEUES or task.run_after is not None:
            return cast(TaskResult[Any], self._table.enqueue(task, args, kwargs))
        self.validate_task(task)
        queued: TaskResult[Any] = TaskResult(
            task=task,
            id=str(uuid4()),
            status=TaskResultStatus.READY,
            enqueued_at=now(),
            started_at=None,
            last_attempted_at=None,
            finished_at=None,
            args=list(args),
            kwargs=kwargs,
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )
        transaction.on_commit(partial(self._send, queued))
        return queued

    def get_result(self, result_id: str) -> TaskResult[Any]:
        """The task of that id, from the table or, as long as it waits, from Redis. Raises TaskResultDoesNotExist."""
        if DBTaskResult.objects.filter(pk=UUID(result_id)).exists():
            return cast(TaskResult[Any], self._table.get_result(result_id))
        return super().get_result(result_id)

    def check(self, **kwargs: Any) -> Iterable[CheckMessage]:
        """Without those of RQBackend: they ask for the app django_rq, which the shop does not use."""
        return super(RQBackend, self).check(**kwargs)

    def _get_job(self, result_id: str) -> Job | None:
        """Where RQBackend looks for a result: it would unpickle the job."""
        return fetch(result_id)

    def _send(self, queued: TaskResult[Any]) -> None:
        try:
            ask(lambda redis: push(queued, redis), use="tasks")
        except NoAnswer:
            log.warning("task_not_sent_to_redis", task=queued.task.module_path)
            # Redis may have it all the same, and a worker may have begun.
            DBTaskResult.objects.get_or_create(id=queued.id, defaults=columns(queued))
        task_enqueued.send(type(self), task_result=queued)
