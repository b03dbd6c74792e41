"""Deletes the records of emails some time after they were sent or have failed."""

from django.conf import settings

from kit.messages.mails.models import Mail
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches


def discard_expired() -> int:
    """Delete old records of emails; returns how many."""
    return delete_in_batches(Mail.objects.filter(next_try_at=None, created_at__lt=now() - settings.MAIL_LIFETIME))
