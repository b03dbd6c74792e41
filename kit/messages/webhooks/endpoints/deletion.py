"""Deleting a webhook endpoint."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.messages.webhooks.endpoints.disabling import switch_off
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.models import WebhookAddress
from kit.values.timestamps import now


@transaction.atomic
def delete(*, actor: Actor, address_id: str) -> WebhookAddress:
    """Soft-delete the address; nothing more is sent to it. Raises WebhookAddressNotFound, Forbidden."""
    actor.require("webhooks.delete_webhookaddress")
    address = lock_endpoint(address_id)
    if address.disabled_at is None:
        switch_off(address, "Deleted")
    address.deleted_at = now()
    address.save(update_fields=["deleted_at", "updated_at"])
    return address
