"""Events of changed rows, which are recorded only while an endpoint receives them.

Each process reads the chosen events again after REREAD_SECONDS, and at once if it has itself changed an endpoint.
"""

from collections.abc import Iterable, Iterator
from time import monotonic

from django.db import transaction

from kit.editing.reporting import ChangedRows
from kit.messages.outbox.names import EVENT_NAMES
from kit.messages.outbox.recording import Data, record_events
from kit.messages.webhooks.models import WebhookAddress

REREAD_SECONDS = 5
MOST_IDS = 1000
"""The most rows that one event lists."""


class Subscriptions:
    """The names of the events that enabled endpoints receive, as one process knows them."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._read_until = 0.0

    def names(self) -> frozenset[str]:
        """The names, cached for REREAD_SECONDS. One statement if they are not."""
        if monotonic() >= self._read_until:
            chosen: list[list[str]] = list(WebhookAddress.objects.enabled().values_list("events", flat=True))
            self.remember(EVENT_NAMES.get() if [] in chosen else {name for names in chosen for name in names})
        return self._names

    def remember(self, names: Iterable[str], *, seconds: float = REREAD_SECONDS) -> None:
        """Cache these names for that many seconds."""
        self._names, self._read_until = frozenset(names), monotonic() + seconds

    def forget(self) -> None:
        """Expire the cache now, for this transaction, and after its commit, for others."""
        self._expire()
        transaction.on_commit(self._expire)

    def _expire(self) -> None:
        self._read_until = 0.0


SUBSCRIPTIONS = Subscriptions()


def record_changes(changes: Iterable[ChangedRows]) -> None:
    """Record the events that an endpoint receives, by one statement."""
    subscribed = SUBSCRIPTIONS.names()
    if events := [(rows.event, data) for rows in changes if rows.event in subscribed for data in _data(rows)]:
        record_events(events)


def _data(rows: ChangedRows) -> Iterator[Data]:
    every = [*rows.references]
    for start in range(0, len(every), MOST_IDS):
        ids = every[start : start + MOST_IDS]
        data: dict[str, str | list[str]] = {"id": ids[0], "ids": ids}
        if rows.reference:
            data[rows.reference] = [*dict.fromkeys(one for key in ids if (one := rows.references[key]))]
        yield data
