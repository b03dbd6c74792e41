"""Triggers that append to the counts of orders, for every client of the database.

A migration that changes the table of orders starts with `remove` and ends with `install` (see
commerce/kit/core/triggers.py). `verify_ledger` lists missing triggers.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from commerce.kit.core import triggers
from commerce.kit.core.triggers import Trigger
from orders.counts.combinations import COLUMNS, COUNTED, COUNTS, ORDERS, appended, combination


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create all triggers for the database's vendor, and replace older ones."""
    vendor = schema_editor.connection.vendor
    for function in _FUNCTIONS if vendor == "postgresql" else ():
        schema_editor.execute(function, None)
    remove(schema_editor)
    triggers.create(schema_editor, TRIGGERS[vendor])


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop all triggers."""
    triggers.drop(schema_editor, TRIGGERS[schema_editor.connection.vendor])


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, TRIGGERS[connection.vendor])


def _counted(rows: str, number: int) -> str:
    """The combinations of these rows with their change. rows: a transition table of the trigger."""
    return f"SELECT {combination()}, {number} AS number FROM {rows} WHERE deleted_at IS NULL"  # noqa: S608 - names of our own


_ADDED, _REMOVED = _counted("added", 1), _counted("removed", -1)


def _function(name: str, changes: str) -> str:
    return f"""
    CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {appended(changes)};
        RETURN NULL;
    END $$
    """


_FUNCTIONS = (
    _function("orders_count_added", _ADDED),
    _function("orders_count_changed", f"{_ADDED} UNION ALL {_REMOVED}"),
    _function("orders_count_removed", _REMOVED),
)


def _on_postgresql(name: str, event: str, rows: str, function: str) -> Trigger:
    statement = (
        f"CREATE TRIGGER {name} AFTER {event} ON {ORDERS} REFERENCING {rows} FOR EACH STATEMENT "
        f"EXECUTE FUNCTION {function}()"
    )
    return Trigger(name, ORDERS, statement)


def _on_sqlite(name: str, event: str, *changes: tuple[str, int], when: str = "true") -> Trigger:
    """changes: OLD or NEW, with the number to add to its combination."""
    work = " ".join(
        f"INSERT INTO {COUNTS} ({COLUMNS}, number) SELECT {combination(f'{row}.')}, {number} "
        f"WHERE {row}.deleted_at IS NULL;"
        for row, number in changes
    )
    return Trigger(name, ORDERS, f"CREATE TRIGGER {name} AFTER {event} ON {ORDERS} WHEN {when} BEGIN {work} END")


_CHANGED = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in (*COUNTED, "deleted_at"))

TRIGGERS: dict[str, tuple[Trigger, ...]] = {
    "postgresql": (
        _on_postgresql("orders_order_is_counted", "INSERT", "NEW TABLE AS added", "orders_count_added"),
        _on_postgresql(
            "orders_order_is_recounted", "UPDATE", "OLD TABLE AS removed NEW TABLE AS added", "orders_count_changed"
        ),
        _on_postgresql("orders_order_is_uncounted", "DELETE", "OLD TABLE AS removed", "orders_count_removed"),
    ),
    "sqlite": (
        _on_sqlite("orders_order_is_counted", "INSERT", ("NEW", 1)),
        _on_sqlite("orders_order_is_recounted", "UPDATE", ("OLD", -1), ("NEW", 1), when=_CHANGED),
        _on_sqlite("orders_order_is_uncounted", "DELETE", ("OLD", -1)),
    ),
}
