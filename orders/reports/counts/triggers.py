"""Triggers that append to the counts of orders, for every client of the database.

A migration that changes the table of orders starts with `remove` and ends with `install` (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from kit.database import triggers
from kit.database.triggers import DELETE, INSERT, UPDATE, Trigger, TriggerSet
from orders.reports.counts.tallies import ORDERS, Combinations, RangesOfValues, Tally

_NAMES: dict[type[Tally], dict[str, tuple[str, str]]] = {
    Combinations: {
        INSERT: ("orders_order_is_counted", "orders_count_added"),
        UPDATE: ("orders_order_is_recounted", "orders_count_changed"),
        DELETE: ("orders_order_is_uncounted", "orders_count_removed"),
    },
    RangesOfValues: {
        INSERT: ("orders_order_ranges_counted", "orders_ranges_added"),
        UPDATE: ("orders_order_ranges_recounted", "orders_ranges_changed"),
        DELETE: ("orders_order_ranges_uncounted", "orders_ranges_removed"),
    },
}
"""The trigger for each event, and its function on PostgreSQL."""


def _triggers(vendor: str, kind: type[Tally]) -> Iterator[Trigger]:
    make = _on_postgresql if vendor == "postgresql" else _on_sqlite
    return make(kind(vendor))


def _on_postgresql(tally: Tally) -> Iterator[Trigger]:
    work = _work(tally, tally.changes(1, rows="added"), tally.changes(-1, rows="removed"))
    for event, (name, function) in _NAMES[type(tally)].items():
        yield triggers.on_postgresql(name, ORDERS, event, work[event], function=function)


def _on_sqlite(tally: Tally) -> Iterator[Trigger]:
    work = _work(tally, tally.changes(1, row="NEW."), tally.changes(-1, row="OLD."))
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in (*tally.counted, "deleted_at"))
    for event, (name, _) in _NAMES[type(tally)].items():
        condition = changed if event == UPDATE else "true"
        yield triggers.on_sqlite(name, ORDERS, event, work[event], condition=condition)


def _work(tally: Tally, added: str, removed: str) -> dict[str, str]:
    """What the trigger of each event runs. added, removed: the queries for the changes of new and of old rows."""
    changes = {INSERT: added, UPDATE: f"{added} UNION ALL {removed}", DELETE: removed}
    return {event: tally.appended(change) for event, change in changes.items()}


_SET = TriggerSet(_triggers, parts=tuple(_NAMES))
install, remove, missing, of = _SET.install, _SET.remove, _SET.missing, _SET.of
