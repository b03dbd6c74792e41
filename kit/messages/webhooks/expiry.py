"""Deliveries are kept as long as their events."""

from kit.messages.outbox.expiry import LIFETIME
from kit.messages.webhooks.models import Delivery
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches


def discard_expired() -> int:
    """Delete the deliveries of expired events; returns how many."""
    return delete_in_batches(Delivery.objects.filter(event__created_at__lt=now() - LIFETIME))
