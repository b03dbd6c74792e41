"""Jobs are kept for a time after their end."""

from commerce.core.discarding import discard
from commerce.core.timestamps import now
from commerce.jobs.models import Job, JobItem


def discard_expired() -> int:
    """Discard jobs past their time, their items first; returns how many jobs."""
    discard(JobItem.objects.filter(job__expires_at__lt=now()))
    return discard(Job.objects.filter(expires_at__lt=now()))
