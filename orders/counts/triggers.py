"""Triggers that append to the counts of orders, for every client of the database.

A migration that changes the table of orders starts with `remove` and ends with `install` (see
commerce/kit/core/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from commerce.kit.core import triggers
from commerce.kit.core.triggers import Trigger
from orders.counts.tallies import ORDERS, Combinations, RangesOfValues, Tally

_INSERT, _UPDATE, _DELETE = "INSERT", "UPDATE", "DELETE"
_NAMES: dict[type[Tally], dict[str, tuple[str, str]]] = {
    Combinations: {
        _INSERT: ("orders_order_is_counted", "orders_count_added"),
        _UPDATE: ("orders_order_is_recounted", "orders_count_changed"),
        _DELETE: ("orders_order_is_uncounted", "orders_count_removed"),
    },
    RangesOfValues: {
        _INSERT: ("orders_order_ranges_counted", "orders_ranges_added"),
        _UPDATE: ("orders_order_ranges_recounted", "orders_ranges_changed"),
        _DELETE: ("orders_order_ranges_uncounted", "orders_ranges_removed"),
    },
}
"""The trigger for each event, and its function on PostgreSQL."""
_ROWS = {
    _INSERT: "NEW TABLE AS added",
    _UPDATE: "OLD TABLE AS removed NEW TABLE AS added",
    _DELETE: "OLD TABLE AS removed",
}


def install(schema_editor: BaseDatabaseSchemaEditor, *kinds: type[Tally]) -> None:
    """Create the triggers of these tables of counts for the database's vendor, and replace older ones."""
    vendor = schema_editor.connection.vendor
    for kind in kinds:
        for function in _functions(kind(vendor)) if vendor == "postgresql" else ():
            schema_editor.execute(function, None)
    remove(schema_editor, *kinds)
    triggers.create(schema_editor, of(vendor, *kinds))


def remove(schema_editor: BaseDatabaseSchemaEditor, *kinds: type[Tally]) -> None:
    """Drop the triggers of these tables of counts."""
    triggers.drop(schema_editor, of(schema_editor.connection.vendor, *kinds))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, of(connection.vendor, *_NAMES))


def of(vendor: str, *kinds: type[Tally]) -> list[Trigger]:
    """The triggers of these tables of counts."""
    create = _on_postgresql if vendor == "postgresql" else _on_sqlite
    return [trigger for kind in kinds for trigger in create(kind(vendor))]


def _functions(tally: Tally) -> Iterator[str]:
    added, removed = tally.changes(1, rows="added"), tally.changes(-1, rows="removed")
    changes = {_INSERT: added, _UPDATE: f"{added} UNION ALL {removed}", _DELETE: removed}
    for event, (_, function) in _NAMES[type(tally)].items():
        yield f"""
        CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            {tally.appended(changes[event])};
            RETURN NULL;
        END $$
        """


def _on_postgresql(tally: Tally) -> Iterator[Trigger]:
    for event, (name, function) in _NAMES[type(tally)].items():
        statement = (
            f"CREATE TRIGGER {name} AFTER {event} ON {ORDERS} REFERENCING {_ROWS[event]} FOR EACH STATEMENT "
            f"EXECUTE FUNCTION {function}()"
        )
        yield Trigger(name, ORDERS, statement)


def _on_sqlite(tally: Tally) -> Iterator[Trigger]:
    added, removed = tally.changes(1, row="NEW."), tally.changes(-1, row="OLD.")
    changes = {_INSERT: added, _UPDATE: f"{added} UNION ALL {removed}", _DELETE: removed}
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in (*tally.counted, "deleted_at"))
    for event, (name, _) in _NAMES[type(tally)].items():
        condition = changed if event == _UPDATE else "true"
        work = tally.appended(changes[event])
        yield Trigger(
            name, ORDERS, f"CREATE TRIGGER {name} AFTER {event} ON {ORDERS} WHEN {condition} BEGIN {work}; END"
        )
