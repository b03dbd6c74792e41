"""Deletes jobs some time after they have ended."""

from kit.jobs.models import Job, Refusal, RowResult, Selection
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches


def discard_expired() -> int:
    """Delete expired jobs, after the rows that belong to them; returns how many jobs."""
    for part in (Selection, Refusal, RowResult):
        delete_in_batches(part.objects.filter(job__expires_at__lt=now()))
    return delete_in_batches(Job.objects.filter(expires_at__lt=now()))
