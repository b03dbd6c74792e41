"""How jobs end."""

from django.conf import settings
from django.db import transaction

from kit.errors import NotAllowed
from kit.jobs.models import Job
from kit.jobs.states import UNFINISHED, JobStatus
from kit.values.timestamps import now


class JobIsOver(NotAllowed):
    """Only a job that has work left can be canceled."""

    message = "The job has already ended"


def end(job: Job, status: JobStatus, *, message: str = "") -> None:
    """Record how the job ended, unless another turn has taken it. message: the job's own, if empty."""
    _end(job, status, message=message, turn=job.turn)


@transaction.atomic
def cancel(job: Job) -> None:
    """End the job now: its worker stops before the next row. What is done stays done. Raises JobIsOver."""
    if not _end(job, JobStatus.CANCELED):
        raise JobIsOver


def _end(job: Job, status: JobStatus, *, message: str = "", **still: int) -> bool:
    moment = now()
    ended = Job.objects.filter(pk=job.pk, status__in=UNFINISHED, **still).update(
        status=status,
        finished_at=moment,
        expires_at=moment + settings.JOB_LIFETIME,
        **({"message": message} if message else {}),
    )
    return bool(ended)
