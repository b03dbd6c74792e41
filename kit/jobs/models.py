"""Work that a member of staff has started and a background worker performs: who, what, progress and result.

Also which failures of background tasks somebody has acknowledged.
"""

from django.conf import settings
from django.db import models
from django_tasks_db.models import DBTaskResult

from kit.jobs.states import UNFINISHED, JobStatus, RowStatus
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now

LABEL_MAX_LENGTH = 255


class Job(models.Model):
    """One job.

    kind: a key of JOB_KINDS (kinds.py), which holds the code that does it. parameters: what that code needs.
    total, succeeded, refused: numbers of rows. message: why it failed, or else what it has done, if its kind says so.
    turn: counts how often a worker has taken the job; a worker whose turn is over records nothing.
    idle_turns: how many turns in a row got nothing done.
    """

    id = IdField(prefix="job")
    kind = models.CharField(max_length=64)
    title = models.CharField(max_length=LABEL_MAX_LENGTH)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name="by")
    parameters = models.JSONField(default=dict)
    status = models.CharField(max_length=16, choices=JobStatus.choices, default=JobStatus.QUEUED)
    total = models.PositiveIntegerField()
    succeeded = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True, default="")
    turn = models.PositiveIntegerField(default=0)
    idle_turns = models.PositiveIntegerField(default=0)
    created_at = TimestampField(default=now)
    started_at = TimestampField(null=True)
    finished_at = TimestampField(null=True)
    expires_at = TimestampField(null=True, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["actor", "-created_at"], name="jobs_job_by_actor")]

    def __str__(self) -> str:
        return self.title

    @property
    def done(self) -> int:
        """How many rows have been processed, which is also the position of the next one."""
        return self.succeeded + self.refused

    @property
    def remaining(self) -> int:
        """How many rows have not been processed."""
        return self.total - self.done

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.status not in UNFINISHED


class Selection(models.Model):
    """Some of the rows of a job, in their order.

    first: the position of the first one within the job. keys: their primary keys, as text.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="selections", db_index=False)
    first = models.PositiveIntegerField()
    keys = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "first"], name="jobs_selection_first_once")]

    def __str__(self) -> str:
        return f"{len(self.keys)} rows from {self.first} on"


class Refusal(models.Model):
    """One row for which the work was refused, and why. label: its name, or its key if it was gone."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="refusals")
    label = models.CharField(max_length=LABEL_MAX_LENGTH)
    reason = models.TextField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.label


class RowResult(models.Model):
    """What has become of one row, in the kinds of jobs that tell it of each.

    about: the id of what the row is about; "" if there is none. label: its name. text: what was done, or why not.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="results")
    about = models.CharField(max_length=ID_MAX_LENGTH, db_index=True)
    label = models.CharField(max_length=LABEL_MAX_LENGTH)
    status = models.CharField(max_length=16, choices=RowStatus.choices)
    text = models.TextField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.label


class TaskAcknowledgement(models.Model):
    """A failure of a background task that somebody has seen: metrics count it no longer.

    The task may fail again after a retry, with another `finished_at`: that is another failure.
    by: None if it was done by command.
    """

    # Without a constraint: the version before, which may still serve, deletes old tasks and does not know this table.
    task = models.ForeignKey(
        DBTaskResult, models.CASCADE, related_name="acknowledgements", db_constraint=False, db_index=False
    )
    finished_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name="by")
    created_at = TimestampField(default=now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "finished_at"], name="jobs_failure_acknowledged_once")]
        default_permissions = ("add",)
        verbose_name = "acknowledgement of a failed task"
        verbose_name_plural = "acknowledgements of failed tasks"

    def __str__(self) -> str:
        return f"{self.task_id}, failed {self.finished_at}"
