"""A worker of a queue in Redis that runs in any thread: it is stopped by an event, not by a signal."""

from threading import Event

from django.db import close_old_connections
from rq import Queue, SimpleWorker
from rq.exceptions import DequeueTimeout
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty

from commerce.operations.tasks.redis_tasks.jobs import RecordedJob, queue, redis
from commerce.operations.tasks.task_recovery import fail_lost_tasks

LOOK_SECONDS = 1
"""How long it waits for a task before it looks whether it is to stop."""


class RedisWorker(SimpleWorker):
    """Runs tasks one at a time. The loop is ours, since that of rq sets signal handlers."""

    death_penalty_class = TimerDeathPenalty  # the default one needs the main thread
    log_result_lifespan = False

    def procline(self, message: str) -> None:
        """Leave the name of the process as it is."""

    def run_until(self, stopped: Event) -> None:
        """Run the tasks of its queue until the event is set; the one that is running is finished. Raises RedisError."""
        fail_lost_tasks(self.name)
        while not stopped.is_set():
            close_old_connections()
            if found := self._next():
                self.execute_job(*found)

    def _next(self) -> tuple[Job, Queue] | None:
        try:
            return self.queue_class.dequeue_any(
                self.queues, LOOK_SECONDS, self.connection, self.job_class, self.serializer, self.death_penalty_class
            )
        except DequeueTimeout:
            return None


def run_redis_tasks(queue_name: str, worker_id: str, stopped: Event) -> None:
    """worker_id: as that of QueueWorker."""
    worker = RedisWorker(
        [queue(queue_name, redis())],
        worker_id,
        connection=redis(),
        job_class=RecordedJob,
        prepare_for_work=False,  # it does not appear among rq's workers
        serializer=JSONSerializer,
    )
    worker.run_until(stopped)
