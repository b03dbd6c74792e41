"""Deleting a webhook endpoint."""

from django.db import transaction

from commerce.kit.core.actor import Actor
from commerce.kit.core.timestamps import now
from commerce.kit.webhooks.address_lock import lock_address
from commerce.kit.webhooks.disabling import switch_off
from commerce.kit.webhooks.models import WebhookAddress


@transaction.atomic
def delete(*, actor: Actor, address_id: str) -> WebhookAddress:
    """Soft-delete the address; nothing more is sent to it. Raises WebhookAddressNotFound, Forbidden."""
    actor.require("webhooks.delete_webhookaddress")
    address = lock_address(address_id)
    if address.disabled_at is None:
        switch_off(address, "Deleted")
    address.deleted_at = now()
    address.save(update_fields=["deleted_at", "updated_at"])
    return address
