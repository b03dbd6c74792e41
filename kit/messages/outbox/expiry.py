"""Events are kept for a time, so that they can be sent again."""

from datetime import timedelta

from kit.messages.outbox.models import Event
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches

LIFETIME = timedelta(days=30)


def discard_expired() -> int:
    """Delete expired events; returns how many. What belongs to them goes first (kit/messages/webhooks/expiry.py)."""
    return delete_in_batches(Event.objects.filter(created_at__lt=now() - LIFETIME))
