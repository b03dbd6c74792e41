"""Enabling a webhook endpoint again."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.models import WebhookAddress
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS


@transaction.atomic
def enable(*, actor: Actor, address_id: str) -> WebhookAddress:
    """Send the address what happens from now on. What it has missed can be sent again (resending.py).

    Raises WebhookAddressNotFound, Forbidden.
    """
    actor.require("webhooks.change_webhookaddress")
    address = lock_endpoint(address_id)
    address.disabled_at, address.disabled_reason = None, ""
    address.failing_since = address.paused_until = None
    address.save(update_fields=["disabled_at", "disabled_reason", "failing_since", "paused_until", "updated_at"])
    SUBSCRIPTIONS.forget()
    return address
