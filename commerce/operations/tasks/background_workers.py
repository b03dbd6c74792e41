"""What the background process of `serve` does, each in a thread of its own: none that hangs delays the others.

Emails and webhooks have tables of their own instead of queues of tasks. Jobs that staff start compute for long: another
process runs them, which ends when no job waits, so that neither their work nor their memory burdens the others.

Urgent tasks have several threads, and a payment provider that is slow to answer cannot hold all of them
(payments/requests/slow_providers.py).
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from threading import Event

from django.conf import settings
from django.db import connection

from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.task_poller import LOOK_SECONDS, TaskPoller
from commerce.operations.tasks.task_recovery import take_up_lost_tasks
from commerce.operations.tasks.work_threads import Work
from kit.jobs.queues import CARRIERS, DEFAULT, JOB_QUEUES, LONG, SLOW, URGENT
from kit.messages.mails.working import send_until
from kit.messages.webhooks.delivery.working import deliver_until
from payments.requests.slow_providers import LINES

THREADS = {URGENT: LINES + 1, SLOW: 1, DEFAULT: 1, CARRIERS: 1}


def background_work(name: str) -> Mapping[str, Work]:
    """All background work, by name. What has begun when the process stops is finished.

    name: of the process, unique among those on this database.
    """
    poller = TaskPoller()
    ids = {f"{queue} {number}": queue for queue, number in _threads()}
    return {
        "poller": poller.poll_until,
        **{work: partial(_run_tasks, queue, f"{name} {work}", poller) for work, queue in ids.items()},
        **(_redis_work(name) if settings.TASKS_IN_REDIS else {}),
        LONG: partial(_run_jobs, name, poller),
        "mails": send_until,
        "webhooks": deliver_until,
    }


def _threads() -> Iterator[tuple[str, int]]:
    """Queues, and the numbers of their threads."""
    for queue, threads in THREADS.items():
        yield from ((queue, number) for number in range(1, threads + 1))


def _redis_work(name: str) -> Mapping[str, Work]:
    """As many threads for tasks in Redis as for those in the table, where retried and delayed tasks wait."""
    from commerce.operations.tasks.redis_tasks.worker import run_redis_tasks  # noqa: PLC0415 - its library is an extra

    ids = {f"redis {queue} {number}": queue for queue, number in _threads()}
    return {work: partial(run_redis_tasks, queue, f"{name} {work}") for work, queue in ids.items()}


def jobs_worker(name: str) -> str:
    """The id of the worker in the process of jobs."""
    return f"{name} {LONG}"


def _run_tasks(queue: str, worker_id: str, poller: TaskPoller, stopped: Event) -> None:
    QueueWorker([queue], stopped, worker_id=worker_id, poller=poller).run()


def _run_jobs(name: str, poller: TaskPoller, stopped: Event) -> None:
    """Run `work_jobs` whenever a job waits, or was lost with the process that ran it."""
    take_up_lost_tasks(jobs_worker(name))
    connection.close()
    while poller.wait_for_task(JOB_QUEUES, stopped):
        _run_jobs_process(name, stopped)


def _run_jobs_process(name: str, stopped: Event) -> None:
    """Run jobs in a process of their own. It stays in the process group of this one, with which it is killed."""
    words = (sys.executable, "manage.py", "work_jobs", "--name", name)
    with subprocess.Popen(words, cwd=settings.BASE_DIR) as process:  # noqa: S603 - our own command
        while process.poll() is None:
            if stopped.wait(LOOK_SECONDS):
                process.terminate()  # the job's turn ends first
                process.wait()
    if process.returncode and not stopped.is_set():
        raise subprocess.CalledProcessError(process.returncode, words)
