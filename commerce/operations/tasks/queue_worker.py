"""A worker of queues of tasks that runs in any thread: it is stopped by an event, not by a signal."""

import time
from collections.abc import Sequence
from threading import Event, Lock

from django.db import connection
from django_tasks_db.management.commands.db_worker import Worker

from commerce.operations.tasks.task_poller import TaskPoller
from commerce.operations.tasks.task_recovery import Task, take_up_lost_tasks

LOOK_SECONDS = 1.0
"""The interval at which an idle worker looks for tasks, if no poller does."""

_starting = Lock()
"""Workers that start together need one connection after the other."""


class QueueWorker(Worker):
    """Runs the tasks of the queues one at a time, until `stopped` is set; the task that is running is finished.

    worker_id: unique at any time, but the same after a restart: what was running when the worker was killed is then
        taken up. At most 64 letters.
    idle_seconds: how long it waits for another task before it ends; None: forever.
    poller: looks for tasks while there are none, in place of the worker, which then has no connection.
    """

    def __init__(
        self,
        queues: Sequence[str],
        stopped: Event,
        *,
        worker_id: str,
        idle_seconds: float | None = None,
        poller: TaskPoller | None = None,
    ) -> None:
        self._stopped = stopped
        self._poller = poller
        self._idle_seconds = idle_seconds
        self._worked = time.monotonic()
        super().__init__(
            queue_names=list(queues),
            interval=LOOK_SECONDS,
            batch=poller is not None,  # `run` returns when no task waits
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=worker_id,
            excluded_queue_names=[],
        )

    @property
    def running(self) -> bool:
        """Whether to go on: Worker.run asks before each look for a task."""
        if self._stopped.is_set():
            return False
        return self._idle_seconds is None or time.monotonic() - self._worked < self._idle_seconds

    @running.setter
    def running(self, value: bool) -> None:
        """Worker sets it to True at its start; `stopped` ends it."""

    def run(self) -> None:
        with _starting:
            take_up_lost_tasks(self.worker_id)
            connection.close()
        if self._poller is None:
            super().run()
            return
        while self._poller.wait_for_task(self.queue_names, self._stopped):
            super().run()
            connection.close()

    def run_task(self, db_task_result: Task) -> None:
        super().run_task(db_task_result)
        self._worked = time.monotonic()
