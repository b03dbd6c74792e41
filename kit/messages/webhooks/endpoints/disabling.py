"""Disabling a webhook endpoint."""

from collections.abc import Callable

from django.db import transaction

from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.models import WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS
from kit.values.timestamps import now

BY_STAFF = "Disabled by staff"
REPORT_TO_STAFF = Wired[Callable[[], None]]("the report of webhook endpoints that were disabled")
"""Called in the transaction that disables a failing endpoint."""


@transaction.atomic
def disable(*, actor: Actor, address_id: str) -> WebhookAddress:
    """Send nothing more to the endpoint. Repeating it changes nothing. Raises WebhookAddressNotFound, Forbidden."""
    actor.require("webhooks.change_webhookaddress")
    address = lock_endpoint(address_id)
    if address.disabled_at is None:
        switch_off(address, BY_STAFF)
    return address


def switch_off_failing(address: WebhookAddress, reason: str) -> None:
    """Disable a locked endpoint because it fails, and report it to staff. Does nothing if it is disabled already."""
    if address.disabled_at is None:
        switch_off(address, reason)
        REPORT_TO_STAFF.get()()


def switch_off(address: WebhookAddress, reason: str) -> None:
    """Disable a locked endpoint. Its pending deliveries fail; they can be sent again later."""
    address.disabled_at, address.disabled_reason = now(), reason
    address.save(update_fields=["disabled_at", "disabled_reason", "updated_at"])
    address.deliveries.pending().update(
        status=DeliveryStatus.FAILED, ended_at=address.disabled_at, error="The endpoint was disabled"
    )
    SUBSCRIPTIONS.forget()
