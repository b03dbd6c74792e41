"""Recording an event."""

from collections.abc import Mapping

from django.db import connection, transaction

from kit.messages.outbox.models import Event
from kit.messages.outbox.names import EVENT_NAMES
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows


def record_event(
    name: str, *, about: str, order_of: str | None = None, data: Mapping[str, str | None] | None = None
) -> None:
    """Write an event in the caller's transaction, by one statement: it exists if and only if that commits.

    name: one of EVENT_NAMES; a ValueError otherwise. about: the id of the resource, which receivers get as `data.id`.
    order_of: the id whose events keep their order. Its row must be locked by the transaction.
    data: further ids; nothing about a person, since receivers are other programs.
    Raises TransactionManagementError outside a transaction.
    """
    if name not in EVENT_NAMES.get():
        raise ValueError(f"commerce/wiring.py does not register the event name {name}")
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("record_event needs the transaction of what it reports")
    row = {
        "event_id": new_id("evt"),
        "name": name,
        "about": about,
        "order_of": order_of,
        "data": {"id": about, **(data or {})},
        "created_at": now(),
        "dispatched_at": None,
    }
    raw_rows.insert(Event, [row])
