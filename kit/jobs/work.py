"""The work of one turn: row by row, each in a transaction of its own together with the record that it is done.

Between batches the worker pauses: SQLite gives its only lock to the first that asks, and requests ask every 0.1 s.
"""

import logging
import time
from functools import partial

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F

from kit.database.locking import retry_on_conflict
from kit.errors import Conflict, DomainError, Forbidden
from kit.jobs.kinds import Outcome, Piece, pieces
from kit.jobs.models import LABEL_MAX_LENGTH, Job, Refusal, RowResult
from kit.jobs.states import JobStatus, RowStatus

BATCH_ROWS = 50
BATCH_SECONDS = 0.2
PAUSE_SECONDS = 0.1
GONE = "It no longer exists."
HELD = "Another process locked the row for too long. Try again."
BROKEN = "An internal error. See the server's log."
_logger = logging.getLogger(__name__)


class TurnLost(Exception):
    """The job was canceled, or another worker has taken it."""


def work_off(job: Job, *, seconds: float) -> bool:
    """Process rows for that long. Returns whether all are done. Raises TurnLost, Forbidden."""
    end = time.monotonic() + seconds
    while batch := _next_keys(job):
        if time.monotonic() >= end:
            return False
        _work_off_batch(job, batch)
        time.sleep(PAUSE_SECONDS)
    return True


def _next_keys(job: Job) -> list[str]:
    selection = job.selections.filter(first__lte=job.done).order_by("-first").first()
    if selection is None:
        return []
    start = job.done - selection.first
    keys: list[str] = selection.keys[start : start + BATCH_ROWS]
    return keys


def _work_off_batch(job: Job, keys: list[str]) -> None:
    """Process the first of these rows, as many as time allows. The actor's permissions are read at its start."""
    end = time.monotonic() + BATCH_SECONDS
    found = pieces(job, keys)
    for key in keys:
        _process(job, key, found.get(key))
        if time.monotonic() >= end:
            return


def _process(job: Job, key: str, piece: Piece | None) -> None:
    if piece is None:
        _refuse(job, Piece(key, _nothing), reason=GONE)
        return
    try:
        if piece.is_outside:
            outcome = piece.do()
            retry_on_conflict(partial(_finish, job, piece, outcome))
        else:
            retry_on_conflict(partial(_do, job, piece))
    except (TurnLost, Forbidden, OperationalError, InterfaceError):
        raise
    except DomainError as refusal:
        _refuse(job, piece, reason=HELD if isinstance(refusal, Conflict) else refusal.message)
    except Exception:
        _logger.exception("Job %s failed for %s.", job.pk, key)
        _refuse(job, piece, reason=BROKEN)
    else:
        job.succeeded += 1


@transaction.atomic
def _do(job: Job, piece: Piece) -> None:
    _finish(job, piece, piece.do())


@transaction.atomic
def _finish(job: Job, piece: Piece, outcome: object) -> None:
    if isinstance(outcome, Outcome):
        outcome.record()
        _tell(job, piece, RowStatus.SKIPPED if outcome.is_skipped else RowStatus.DONE, outcome.text)
    _count(job, "succeeded")


def _refuse(job: Job, piece: Piece, *, reason: str) -> None:
    with transaction.atomic():
        if piece.about is None:
            Refusal.objects.create(job=job, label=piece.label[:LABEL_MAX_LENGTH], reason=reason)
        else:
            _tell(job, piece, RowStatus.REFUSED, reason)
        _count(job, "refused")
    job.refused += 1


def _tell(job: Job, piece: Piece, status: RowStatus, text: str) -> None:
    label = piece.label[:LABEL_MAX_LENGTH]
    RowResult.objects.create(job=job, about=piece.about or "", label=label, status=status, text=text)


def _nothing() -> None:
    """What is done with a row that is gone."""


def _count(job: Job, outcome: str) -> None:
    """Comes last in its transaction, so that nobody waits for the job's row. A lost turn rolls all of it back."""
    counted = Job.objects.filter(pk=job.pk, turn=job.turn, status=JobStatus.RUNNING).update(
        **{outcome: F(outcome) + 1, "idle_turns": 0}
    )
    if not counted:
        raise TurnLost
