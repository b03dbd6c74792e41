"""Deletes imports a day after they were made, with their files."""

from kit.tables import files
from kit.tables.models import LIFETIME, Import, ImportResult
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches


def discard_expired() -> int:
    """Returns how many imports and files."""
    before = now() - LIFETIME
    delete_in_batches(ImportResult.objects.filter(of__created_at__lt=before))
    return delete_in_batches(Import.objects.filter(created_at__lt=before)) + files.discard_expired()
