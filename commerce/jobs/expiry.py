"""Jobs are kept for a time after their end."""

from commerce.core.discarding import discard
from commerce.core.timestamps import now
from commerce.jobs.models import Job, Refusal, Selection


def discard_expired() -> int:
    """Discard jobs past their time, after what belongs to them; returns how many jobs."""
    for part in (Selection, Refusal):
        discard(part.objects.filter(job__expires_at__lt=now()))
    return discard(Job.objects.filter(expires_at__lt=now()))
