"""Making a delivery of each new event for each address that receives it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from kit.database.locking import lock_named, retry_on_conflict
from kit.messages.outbox.models import Event
from kit.messages.outbox.names import MERGED_EVENTS
from kit.messages.webhooks.delivery.schedule import expiry
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.subscriptions import MOST_IDS
from kit.values.timestamps import now

_MOST_EVENTS = 500
_Receiver = tuple[str, str]
"""The id of an address and the name of an event."""


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
    waiting = list(Event.objects.filter(dispatched_at=None).order_by("number")[:_MOST_EVENTS])
    events = _merged(waiting)
    addresses = list(WebhookAddress.objects.enabled())
    untried = _untried_ids({event.name for event in events} & {*MERGED_EVENTS.get()})
    Delivery.objects.bulk_create(
        [
            Delivery(event=event, address=address, order_of=event.order_of, expires_at=expiry())
            for event in events
            for address in addresses
            if address.receives(event) and not _ids(event) <= untried.get((address.pk, event.name), set())
        ],
        ignore_conflicts=True,  # staff may have sent it already
    )
    Event.objects.filter(pk__in=[event.pk for event in events]).update(dispatched_at=now())
    return len(waiting) == _MOST_EVENTS


def _merged(events: Sequence[Event]) -> list[Event]:
    """The events. Of those in MERGED_EVENTS, the first of a name gets the ids of the others, which are deleted."""
    kept: list[Event] = []
    first: dict[str, Event] = {}
    changed: set[Event] = set()
    for event in events:
        into = first.get(event.name)
        if event.name in MERGED_EVENTS.get() and into is not None and len(_ids(into) | _ids(event)) <= MOST_IDS:
            into.data |= {key: _union(into.data[key], ids) for key, ids in event.data.items() if key != "id"}
            changed.add(into)
        else:
            first[event.name] = event
            kept.append(event)
    Event.objects.filter(pk__in={event.pk for event in events} - {event.pk for event in kept}).delete()
    Event.objects.bulk_update(changed, ["data"])
    return kept


def _union(*lists: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(one for ids in lists for one in ids)]


def _ids(event: Event) -> set[str]:
    """The ids of the rows that a merged event lists; for other events, their own id."""
    return {*event.data.get("ids", [event.event_id])}


def _untried_ids(names: Iterable[str]) -> Mapping[_Receiver, set[str]]:
    """The ids in deliveries of these events that were never tried: these report later changes of the rows, too."""
    named: defaultdict[_Receiver, set[str]] = defaultdict(set)
    if names:
        untried = Delivery.objects.pending().filter(attempts=0, claimed_until=None, event__name__in=names)
        for address_id, name, data in untried.values_list("address_id", "event__name", "event__data"):
            named[address_id, name].update(data["ids"])
    return named
