"""Making a delivery of each new event for each address that receives it."""

from django.db import transaction

from kit.database.locking import lock_named, retry_on_conflict
from kit.messages.outbox.models import Event
from kit.messages.webhooks.delivery.schedule import expiry
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.values.timestamps import now

_MOST_EVENTS = 500


def fan_out() -> None:
    """Deal with all events that no process has dealt with, in their order."""
    while Event.objects.filter(dispatched_at=None).exists() and retry_on_conflict(_fan_out_some):
        pass


@transaction.atomic(durable=True)
def _fan_out_some() -> bool:
    """Returns whether there may be more.

    One process at a time: else a later event of an order could be delivered before another process has seen an earlier
    one, which was committed before it.
    """
    lock_named("webhook fan-out")
    events = list(Event.objects.filter(dispatched_at=None).order_by("number")[:_MOST_EVENTS])
    addresses = list(WebhookAddress.objects.enabled())
    Delivery.objects.bulk_create(
        [
            Delivery(event=event, address=address, order_of=event.order_of, expires_at=expiry())
            for event in events
            for address in addresses
            if address.receives(event)
        ],
        ignore_conflicts=True,  # staff may have sent it already
    )
    Event.objects.filter(pk__in=[event.pk for event in events]).update(dispatched_at=now())
    return len(events) == _MOST_EVENTS
