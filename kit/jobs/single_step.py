"""Single-step jobs.

A single-step job may take far longer than a turn, and read in one snapshot. Its progress and the renewal of its lease
are therefore stored on a separate connection. A job that works in several transactions can `record` how far it is.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import InterfaceError, OperationalError, connection

from kit.database.locking import retry_on_conflict
from kit.errors import Conflict, DomainError
from kit.jobs.kinds import SINGLE_STEP_JOBS
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from kit.jobs.work import BROKEN, TurnLost
from kit.values.json import JSONObject

REPORT_SECONDS = 3.0
Renew = Callable[[Job, int, int], None]
"""Stores the number of finished rows and of all rows, and extends the lease. Raises TurnLost."""
_logger = logging.getLogger(__name__)


class Failed(Exception):
    """The work was refused or failed. The text is shown to the job's actor."""


def do_single_step(job: Job, renew: Renew) -> None:
    """Do the work of the job. Raises TurnLost, Failed."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="job-progress") as own:

        def store(done: int, total: int) -> None:
            own.submit(retry_on_conflict, lambda: renew(job, done, total)).result()

        try:
            store(0, 0)
            done = _do(job, _Reporter(store))
            store(done, done)
        finally:
            own.submit(_close).result()


def discard_remains(job_id: str) -> None:
    """Delete what the job has made if it was canceled, by anybody, or has failed. One statement."""
    over = Job.objects.filter(pk=job_id, status__in=(JobStatus.CANCELED, JobStatus.FAILED))
    for job in over.filter(kind__in=SINGLE_STEP_JOBS.get()):
        if discard := SINGLE_STEP_JOBS.get()[job.kind].discard:
            discard(job)


def record(job: Job, parameters: JSONObject, message: str) -> None:
    """Store how far a job has come, in the transaction of the work: if it restarts, it continues from there.

    Comes last in its transaction. Raises TurnLost, which rolls all of it back.
    """
    recorded = Job.objects.filter(pk=job.pk, turn=job.turn, status=JobStatus.RUNNING)
    if not recorded.update(parameters=parameters, message=message, idle_turns=0):
        raise TurnLost


def _close() -> None:
    """Close the connection of the thread that calls this."""
    connection.close()


def _do(job: Job, report: "_Reporter") -> int:
    try:
        return SINGLE_STEP_JOBS.get()[job.kind].do(job, report)
    except (TurnLost, Conflict, OperationalError, InterfaceError):  # the job restarts at the end of its lease
        raise
    except DomainError as refusal:
        raise Failed(refusal.message) from refusal
    except Exception as error:
        _logger.exception("Job %s failed.", job.pk)
        raise Failed(BROKEN) from error


class _Reporter:
    """Stores the reported progress every few seconds."""

    def __init__(self, store: Callable[[int, int], None]) -> None:
        self._store = store
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() >= self._next:
            self._store(done, total)
            self._next = time.monotonic() + REPORT_SECONDS
