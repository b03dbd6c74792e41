"""A customer's timeline, to which higher apps add events."""

from collections.abc import Iterator

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest

from customers.models import Customer
from kit.admin.history.timeline import Entry, Source, TimelineEvent, entries
from staff.authors import author_names

MOST = 50
_sources: list[Source] = []


def timeline_source(source: Source) -> Source:
    """Register a source of events. It yields at most the newest MOST."""
    _sources.append(source)
    return source


def customer_timeline(request: HttpRequest, customer_id: str) -> list[Entry]:
    """The newest MOST events from all sources."""
    found = [event for source in _sources for event in source(request, customer_id)]
    name_of = author_names(event.by_staff for event in found)
    return list(entries(found, name_of, most=MOST))


@timeline_source
def _of_customer(request: HttpRequest, customer_id: str) -> Iterator[TimelineEvent]:
    """When the customer was added, and what staff did. Django has checked that the user may view the customer."""
    created_at = Customer.objects.values_list("created_at", flat=True).get(pk=customer_id)
    yield TimelineEvent(created_at, "Customer added")
    kind = ContentType.objects.get_for_model(Customer)
    history = LogEntry.objects.filter(content_type=kind, object_id=customer_id).order_by("-action_time", "-pk")
    for entry in history[:MOST]:
        yield TimelineEvent(entry.action_time, entry.get_change_message() or "Changed", by_staff=str(entry.user_id))
