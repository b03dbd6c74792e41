"""Changing where a webhook endpoint leads, and what it receives."""

from collections.abc import Iterable

from django.db import transaction

from kit.domain.actor import Actor
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint, require_free_url
from kit.messages.webhooks.endpoints.event_choice import checked_events
from kit.messages.webhooks.endpoints.targets import target_of
from kit.messages.webhooks.models import WebhookAddress
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS


@transaction.atomic
def change(*, actor: Actor, address_id: str, url: str, events: Iterable[str]) -> WebhookAddress:
    """Set the URL and the events. Pending deliveries go to the new URL, immediately and with the same secret.

    Nothing is written if neither changes.
    Raises WebhookAddressNotFound, InvalidData (url, events), AddressTaken, Forbidden.
    """
    actor.require("webhooks.change_webhookaddress")
    target_of(url)
    names = checked_events(events)
    address = lock_endpoint(address_id)
    if (address.url, address.events) == (url, names):
        return address
    require_free_url(url, apart_from=address.pk)
    if address.url != url:
        address.paused_until = address.failing_since = None
    address.url, address.events = url, names
    address.save(update_fields=["url", "events", "paused_until", "failing_since", "updated_at"])
    SUBSCRIPTIONS.forget()
    return address
