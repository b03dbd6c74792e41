"""The states of a job."""

from django.db.models import TextChoices


class JobStatus(TextChoices):
    """`queued` and `running` jobs have work left; the others are over for good."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELED = "canceled"
    FAILED = "failed"


UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING)
