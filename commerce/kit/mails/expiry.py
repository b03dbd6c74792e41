"""Deletes the records of emails some time after they were sent or have failed."""

from django.conf import settings

from commerce.kit.core.batched_deletion import delete_in_batches
from commerce.kit.core.timestamps import now
from commerce.kit.mails.models import Mail


def discard_expired() -> int:
    """Delete old records of emails; returns how many."""
    return delete_in_batches(Mail.objects.filter(next_try_at=None, created_at__lt=now() - settings.MAIL_LIFETIME))
