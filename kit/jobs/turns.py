"""Turns: a job is worked on for some seconds at a time, so that short jobs do not wait for long ones.

Each turn is a task of the queue LONG. It begins by queuing the next one for the end of its lease: if its worker is
killed, that task continues where the job stopped. A turn that ends in time queues the next one immediately; the second
task finds the turn taken and does nothing. A single-step job (single_step.py) renews its turn while it
works.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_tasks import task

from kit.database.locking import retry_on_conflict
from kit.errors import Forbidden
from kit.jobs.endings import end
from kit.jobs.kinds import SINGLE_STEP_JOBS
from kit.jobs.models import Job
from kit.jobs.queues import LONG
from kit.jobs.single_step import Failed, discard_remains, do_single_step
from kit.jobs.states import UNFINISHED, JobStatus
from kit.jobs.stored_paths import stored_in
from kit.jobs.work import TurnLost, work_off
from kit.values.timestamps import now

TURN_SECONDS = 10.0
LEASE = timedelta(seconds=30)
MOST_IDLE_TURNS = 20
"""Of one whose process is killed each time, in about two minutes."""


def schedule(job: Job) -> None:
    """Let a worker take the next turn as soon as one is free, and again after the lease in case that worker dies."""
    _queue(job)
    _queue(job, after=LEASE)


@task(queue_name=LONG)
@stored_in("commerce.kit.jobs.turns")
def take_turn(job_id: str, turn: int) -> None:
    """Work on the job for a while, unless that turn was taken or the job is over."""
    _take(job_id, turn)
    discard_remains(job_id)


def _take(job_id: str, turn: int) -> None:
    job = retry_on_conflict(lambda: _taken(job_id, turn))
    if job is None:
        return
    if job.idle_turns > MOST_IDLE_TURNS:
        end(job, JobStatus.FAILED, message=f"The job was started {MOST_IDLE_TURNS} times without progress")
        return
    try:
        if job.kind in SINGLE_STEP_JOBS.get():
            do_single_step(job, _renew)
            is_finished = True
        else:
            is_finished = work_off(job, seconds=TURN_SECONDS)
    except TurnLost:
        return
    except Forbidden as refusal:
        end(job, JobStatus.FAILED, message=refusal.message)
        return
    except Failed as failure:
        end(job, JobStatus.FAILED, message=str(failure))
        return
    if is_finished:
        end(job, JobStatus.DONE)
    else:
        _queue(job)


@transaction.atomic
def _taken(job_id: str, turn: int) -> Job | None:
    taken = Job.objects.filter(pk=job_id, turn=turn, status__in=UNFINISHED).update(
        turn=turn + 1,
        idle_turns=F("idle_turns") + 1,
        status=JobStatus.RUNNING,
        started_at=Coalesce("started_at", now()),
    )
    if not taken:
        return None
    job = Job.objects.get(pk=job_id)
    _queue(job, after=LEASE)
    return job


def _renew(job: Job, done: int, total: int) -> None:
    """Store the progress of a single-step job, and begin the next turn in the same worker."""
    with transaction.atomic():
        renewed = Job.objects.filter(pk=job.pk, turn=job.turn, status=JobStatus.RUNNING).update(
            turn=job.turn + 1, succeeded=done, total=total
        )
        if not renewed:
            raise TurnLost
        _queue(job, turn=job.turn + 1, after=LEASE)
    job.turn += 1


def _queue(job: Job, *, turn: int | None = None, after: timedelta | None = None) -> None:
    task_ = take_turn if after is None else take_turn.using(run_after=timezone.now() + after)
    task_.enqueue(job_id=job.pk, turn=job.turn if turn is None else turn)
