"""Sending events again."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import NotFound
from kit.messages.outbox.models import Event
from kit.messages.webhooks.delivery.schedule import expiry
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.errors import AddressDisabled
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.text import is_storable
from kit.values.timestamps import now

_BATCH = 500


def resend_event(*, actor: Actor, address_id: str, event_id: str) -> None:
    """Send the event to the address, again if it was delivered. Its later events do not wait for it.

    event_id: `evt_…`. Raises NotFound, WebhookAddressNotFound, AddressDisabled, Forbidden.
    """
    events = Event.objects.filter(event_id=event_id) if is_storable(event_id) else Event.objects.none()
    if not _resend(actor, address_id, events, Delivery.objects.all()):
        raise NotFound(missing("Event", event_id))


def resend_missed(*, actor: Actor, address_id: str, since: datetime) -> int:
    """Send the address all events since that moment that it receives and that were not delivered, in their order.

    Those that happened before it was added, or while it was disabled, are among them. Returns how many.
    Raises WebhookAddressNotFound, AddressDisabled, Forbidden.
    """
    others = Delivery.objects.filter(address=address_id).exclude(status=DeliveryStatus.FAILED)
    events = Event.objects.filter(created_at__gte=since).exclude(pk__in=others.values("event"))
    return _resend(actor, address_id, events, Delivery.objects.filter(status=DeliveryStatus.FAILED), chosen=True)


@transaction.atomic
def _resend(
    actor: Actor, address_id: str, events: "QuerySet[Event]", again: "QuerySet[Delivery]", *, chosen: bool = False
) -> int:
    """Make the deliveries of these events that are missing, and start those again that are in `again`.

    chosen: only events that the address receives.
    """
    actor.require("webhooks.change_webhookaddress")
    address = lock_endpoint(address_id)
    if address.disabled_at is not None:
        raise AddressDisabled
    WebhookAddress.objects.filter(pk=address_id).update(paused_until=None)
    count = 0
    for batch in _batches(events.order_by("number")):
        sent = [event for event in batch if not chosen or address.receives(event)]
        _start(address, sent, again)
        count += len(sent)
    return count


def _start(address: WebhookAddress, events: list[Event], again: "QuerySet[Delivery]") -> None:
    fresh: dict[str, Any] = {"due_at": now(), "expires_at": expiry()}
    again.filter(address=address, event__in=events).update(
        status=DeliveryStatus.PENDING, ended_at=None, error="", **fresh
    )
    Delivery.objects.bulk_create(
        [Delivery(event=event, address=address, order_of=event.order_of, **fresh) for event in events],
        ignore_conflicts=True,
    )


def _batches(events: "QuerySet[Event]") -> Iterator[list[Event]]:
    after = 0
    while batch := list(events.filter(number__gt=after)[:_BATCH]):
        yield batch
        after = batch[-1].pk
