"""Deliveries are kept as long as their events."""

from commerce.kit.core.batched_deletion import delete_in_batches
from commerce.kit.core.timestamps import now
from commerce.kit.outbox.expiry import LIFETIME
from commerce.kit.webhooks.models import Delivery


def discard_expired() -> int:
    """Delete the deliveries of expired events; returns how many."""
    return delete_in_batches(Delivery.objects.filter(event__created_at__lt=now() - LIFETIME))
