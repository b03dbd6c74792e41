"""What the background process of `serve` does, each in threads of its own: none that hangs delays the others.

Each queue of tasks has a thread; mails and webhooks have tables and threads of their own. Jobs that staff start compute
for long: a process that ends with them runs them, so that neither their work nor their memory weighs on the others.
"""

import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from threading import Event, Thread

from django.conf import settings
from django.core.management import call_command
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from commerce.kit.jobs.turns import QUEUE as BULK
from commerce.kit.mails.working import send_until
from commerce.kit.webhooks.working import deliver_until

Work = Callable[[Event], None]
"""Does its work until the event is set. May raise anything, and is then started again."""

BULK_WORKER = ("db_worker", "--queue-name", BULK)
LOOK_SECONDS = 1.0


def background_work() -> Mapping[str, Work]:
    """All of it, by name."""
    queues = [queue for queue in settings.TASKS["default"]["QUEUES"] if queue != BULK]
    return {
        **{f"tasks: {queue}": partial(work_off, queue) for queue in queues},
        BULK: run_bulk_jobs,
        "mails": send_until,
        "webhooks": deliver_until,
    }


def chores() -> Mapping[str, Work]:
    """The periodic commands that are enabled, by name. They may be cut off at any time."""
    intervals = {
        "prune": settings.PRUNE_INTERVAL,
        "resume_payments": settings.RESUME_INTERVAL,
        "resume_completions": settings.RESUME_INTERVAL,
        "resume_fulfillments": settings.RESUME_INTERVAL,
    }
    return {name: partial(_repeat, name, seconds) for name, seconds in intervals.items() if seconds}


def work_off(queue: str, stopped: Event) -> None:
    """Run the tasks of the queue, one at a time; a running one is finished."""
    worker = Worker(
        queue_names=[queue],
        interval=LOOK_SECONDS,
        batch=False,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=[],
    )

    def stop() -> None:
        stopped.wait()
        worker.running = False

    Thread(target=stop, daemon=True, name=f"stop of {queue}").start()
    worker.run()


def run_bulk_jobs(stopped: Event) -> None:
    """Start a process whenever a job waits. It ends when no job waits."""
    while not stopped.wait(LOOK_SECONDS):
        if DBTaskResult.objects.ready().filter(queue_name=BULK).exists():
            _run_bulk_process(stopped)


def _run_bulk_process(stopped: Event) -> None:
    """It belongs to the process group of this one, with which it is killed."""
    words = (sys.executable, "manage.py", *BULK_WORKER, "--batch", "--no-startup-delay")
    process = subprocess.Popen(words, cwd=settings.BASE_DIR)  # noqa: S603 - our own command
    while process.poll() is None:
        if stopped.wait(0.2):
            process.terminate()  # its turn ends first
            process.wait()


def _repeat(name: str, seconds: float, stopped: Event) -> None:
    while not stopped.wait(seconds):
        call_command(name, verbosity=0)
