"""Events are kept for a time, so that they can be sent again."""

from datetime import timedelta

from commerce.kit.core.batched_deletion import delete_in_batches
from commerce.kit.core.timestamps import now
from commerce.kit.outbox.models import Event

LIFETIME = timedelta(days=30)


def discard_expired() -> int:
    """Delete expired events; returns how many. What belongs to them goes first (commerce/kit/webhooks/expiry.py)."""
    return delete_in_batches(Event.objects.filter(created_at__lt=now() - LIFETIME))
