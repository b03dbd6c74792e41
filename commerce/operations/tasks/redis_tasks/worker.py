"""A worker of a queue in Redis that runs in any thread: it is stopped by an event, not by a signal."""

from functools import cache
from threading import Event
from typing import cast

from django.conf import settings
from django.db import IntegrityError, close_old_connections, transaction
from django_tasks.base import TaskResultStatus
from redis import Redis

from commerce.operations.tasks.queue_worker import LOOK_SECONDS, QueueWorker
from commerce.operations.tasks.redis_tasks import lists
from commerce.operations.tasks.task_recovery import Task, take_up_lost_tasks
from kit.values.timestamps import now

PATIENCE_SECONDS = 3.0
"""How long it waits for an answer: longer than for a task. Requests are more impatient; see redis_client.py."""


class RedisWorker(QueueWorker):
    """Moves each task to a list of its own, and from there to the table, where it is run as other tasks are.

    A worker that is started after it was killed begins with that list: what has a row by then is skipped.
    """

    def run(self) -> None:
        """Raises RedisError."""
        queue, own = lists.key(self.queue_names[0]), f"tasks taken:{self.worker_id}"
        take_up_lost_tasks(self.worker_id)
        while self.running:
            close_old_connections()
            if element := redis().lindex(own, 0) or redis().blmove(
                queue, own, int(LOOK_SECONDS), src="LEFT", dest="RIGHT"
            ):
                if row := self._recorded(element):
                    self.run_task(row)
                redis().delete(own)

    def _recorded(self, element: bytes | str) -> Task | None:
        """The running task, in the table; None if it is there already, since Redis did not confirm it in time."""
        unpacked = lists.unpacked(element)
        row = cast(Task, unpacked.object)
        row.status, row.started_at, row.worker_ids = TaskResultStatus.RUNNING, now(), [self.worker_id]
        try:
            with transaction.atomic():
                unpacked.save(force_insert=True)
        except IntegrityError:
            return None
        return row


@cache
def redis() -> Redis:
    """The connections of this process's workers."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS)


def run_redis_tasks(queue: str, worker_id: str, stopped: Event) -> None:
    """worker_id: as that of QueueWorker."""
    RedisWorker([queue], stopped, worker_id=worker_id).run()
