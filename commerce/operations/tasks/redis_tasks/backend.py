"""The backend of `TASKS`: queues tasks in Redis after the commit."""

from functools import partial
from typing import Any

import structlog
from django.db import transaction
from django_tasks.signals import task_enqueued
from django_tasks_db import DatabaseBackend
from django_tasks_db.compat import normalize_json
from django_tasks_db.models import DBTaskResult, get_date_max

from commerce.operations.tasks.redis_tasks import lists
from commerce.operations.tasks.task_recovery import Task
from kit.database.redis_client import NoAnswer, ask
from kit.jobs.queues import JOB_QUEUES
from kit.values.timestamps import now

log = structlog.get_logger(__name__)


class RedisBackend(DatabaseBackend):
    """Sends tasks to Redis once their transaction commits, and drops them if it does not.

    Three kinds wait in the table of tasks instead: those of jobs and pictures, which only continue by their task, and
    Redis could lose it; those that are due later; and those that Redis does not accept.
    """

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        """Queue the task. `get_result` finds it once a thread runs it."""
        if task.queue_name in JOB_QUEUES or task.run_after is not None:
            return super().enqueue(task, args, kwargs)
        self.validate_task(task)
        row: Task = DBTaskResult(
            enqueued_at=now(),
            args_kwargs=normalize_json({"args": args, "kwargs": kwargs}),
            priority=task.priority,
            task_path=task.module_path,
            queue_name=task.queue_name,
            run_after=get_date_max(),
            backend_name=self.alias,
        )
        transaction.on_commit(partial(self._send, row))
        return row.task_result

    def _send(self, row: Task) -> None:
        try:
            ask(partial(lists.push, row), use="tasks")
        except NoAnswer:
            log.warning("task_not_sent_to_redis", task=row.task_path)
            # Redis may have it all the same, and a worker may have begun.
            DBTaskResult.objects.bulk_create([row], ignore_conflicts=True)
        task_enqueued.send(type(self), task_result=row.task_result)
