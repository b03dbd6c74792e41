"""Recording events."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import connection, transaction

from kit.messages.outbox.models import Event
from kit.messages.outbox.names import EVENT_NAMES
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows

Data = Mapping[str, str | Sequence[str] | None]


def record_event(name: str, *, about: str, order_of: str | None = None, data: Data | None = None) -> None:
    """Write an event in the caller's transaction, by one statement: it exists if and only if that commits.

    name: one of EVENT_NAMES; a ValueError otherwise. about: the id of the resource, which receivers get as `data.id`.
    order_of: the id whose events keep their order. Its row must be locked by the transaction.
    data: further ids; nothing about a person, since receivers are other programs.
    Raises TransactionManagementError outside a transaction.
    """
    record_events([(name, {"id": about, **(data or {})})], order_of=order_of)


def record_events(events: Iterable[tuple[str, Data]], *, order_of: str | None = None) -> None:
    """Like record_event, for many events in one statement. events: pairs of name and data."""
    rows = [_row(name, data, order_of) for name, data in events]
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("record_event needs the transaction of what it reports")
    raw_rows.insert(Event, rows)


def _row(name: str, data: Data, order_of: str | None) -> raw_rows.RawRow:
    if name not in EVENT_NAMES.get():
        raise ValueError(f"commerce/wiring.py does not register the event name {name}")
    return {
        "event_id": new_id("evt"),
        "name": name,
        "about": data["id"],
        "order_of": order_of,
        "data": data,
        "created_at": now(),
        "dispatched_at": None,
    }
