"""A task as a job of rq, and as a row of the table of tasks."""

from functools import cache
from typing import Any, cast

from django.conf import settings
from django_tasks.base import TaskResult, TaskResultStatus
from django_tasks_db.models import DBTaskResult, get_date_max
from django_tasks_rq.backend import Job, failed_callback, success_callback
from redis import Redis
from rq import Callback, Queue
from rq.exceptions import NoSuchJobError
from rq.job import JobStatus
from rq.serializers import JSONSerializer

from kit.values.timestamps import now

PATIENCE_SECONDS = 3.0
"""How long a worker waits for an answer: longer than for a task. Requests are more impatient; see redis_client.py."""
FOREVER = -1


class RecordedJob(Job):
    """Keeps a row of the table of tasks while it runs, and afterwards."""

    def perform(self) -> Any:
        """Run the task, unless it waits in the table because Redis did not confirm it in time."""
        values = columns(self.task_result) | {"status": TaskResultStatus.RUNNING, "started_at": now()}
        values["worker_ids"] = [self.worker_name]
        row, is_new = DBTaskResult.objects.get_or_create(id=self.task_result.id, defaults=values)
        if not is_new:
            return None
        try:
            value = super().perform()
            row.set_successful(value)
        except BaseException as error:
            row.set_failed(error)
            raise
        return value


def columns(task_result: TaskResult[Any]) -> dict[str, Any]:
    """The columns of the row of a waiting task."""
    task = task_result.task
    return {
        "id": task_result.id,
        "args_kwargs": {"args": task_result.args, "kwargs": task_result.kwargs},
        "priority": task.priority,
        "task_path": task.module_path,
        "queue_name": task.queue_name,
        "run_after": get_date_max(),
        "backend_name": task_result.backend,
    }


@cache
def redis() -> Redis:
    """The connections of this process's workers."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS)


def queue(name: str, connection: Redis) -> Queue:
    """Jobs are JSON: what rq pickles by default could run anything."""
    return Queue(name, connection=connection, job_class=RecordedJob, serializer=JSONSerializer)


def fetch(task_id: str) -> RecordedJob | None:
    """The job of a task that waits or runs."""
    try:
        return cast(RecordedJob, RecordedJob.fetch(task_id, redis(), JSONSerializer))
    except NoSuchJobError:
        return None


def push(queued: TaskResult[Any], connection: Redis) -> None:
    """Put the task at the end of its queue. Raises RedisError."""
    line = queue(queued.task.queue_name, connection)
    job = line.create_job(
        queued.task.module_path,
        args=queued.args,
        kwargs=queued.kwargs,
        job_id=queued.id,
        status=JobStatus.QUEUED,
        timeout=FOREVER,
        result_ttl=0,  # the table has it
        failure_ttl=0,
        on_success=Callback(success_callback),
        on_failure=Callback(failed_callback),
        meta={"backend_name": queued.backend},
    )
    line.enqueue_job(job)
