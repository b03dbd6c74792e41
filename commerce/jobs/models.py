"""Work that a member of staff has started and a background worker does: who, what, how far, and what came of it."""

from django.conf import settings
from django.db import models

from commerce.core.ids import ID_MAX_LENGTH, IdField
from commerce.core.timestamps import TimestampField, now
from commerce.jobs.states import UNFINISHED, JobStatus

LABEL_MAX_LENGTH = 255


class Job(models.Model):
    """One job.

    kind: a key of settings.JOB_KINDS, which names the code that does it. parameters: what that code needs.
    total, succeeded, refused: numbers of items. message: why it failed.
    turn: counts how often a worker has taken the job; a worker whose turn it no longer is records nothing.
    idle_turns: how many turns in a row got no item done.
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
        """How many items have been dealt with."""
        return self.succeeded + self.refused

    @property
    def remaining(self) -> int:
        """How many have not."""
        return self.total - self.done

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.status not in UNFINISHED


class JobItem(models.Model):
    """One row that the job is about, as long as it is not done, or because it was refused.

    key: its primary key. label: its name, once it was refused. reason: why it was refused, null while it is to be done.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=ID_MAX_LENGTH)
    label = models.CharField(max_length=LABEL_MAX_LENGTH, default="")
    reason = models.TextField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="jobs_item_position_once")]
        indexes = [
            models.Index(fields=["job", "position"], condition=models.Q(reason=None), name="jobs_item_to_be_done")
        ]

    def __str__(self) -> str:
        return self.label or self.key
