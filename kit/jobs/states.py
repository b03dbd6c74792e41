"""The states of a job."""

from django.db.models import TextChoices


class JobStatus(TextChoices):
    """`queued` and `running` jobs have work left; the others are over for good."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELED = "canceled"
    FAILED = "failed"


class RowStatus(TextChoices):
    """What has become of a row. `skipped`: nothing was left to do."""

    REFUSED = "refused"
    SKIPPED = "skipped"
    DONE = "done"


UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING)
