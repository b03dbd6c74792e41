"""Triggers: creating them, dropping them, and finding those that are missing.

A migration installs them. On SQLite, a migration that changes a table rebuilds it: its triggers are lost, and triggers
of other tables that refer to it fail. Such a migration starts by dropping them and ends by creating them again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

INSERT, UPDATE, DELETE = "INSERT", "UPDATE", "DELETE"
_ROWS = {
    INSERT: "NEW TABLE AS added",
    UPDATE: "OLD TABLE AS removed NEW TABLE AS added",
    DELETE: "OLD TABLE AS removed",
}


@dataclass(frozen=True)
class Trigger:
    """statement: creates the trigger. function: creates a function of its own on PostgreSQL, or replaces it."""

    name: str
    table: str
    statement: str
    function: str = field(default="", kw_only=True)


def on_postgresql(name: str, table: str, event: str, work: str, *, function: str = "", each: str = "") -> Trigger:
    """A trigger that does the work after the event, for PostgreSQL.

    It runs once for each statement, whose rows are the tables `added` and `removed`. function: the name of its
    function, by default its own. each: when it runs instead, such as `FOR EACH ROW`, where the row is `NEW` and `OLD`.
    """
    function, each = function or name, each or f"REFERENCING {_ROWS[event]} FOR EACH STATEMENT"
    return Trigger(
        name,
        table,
        f"CREATE TRIGGER {name} AFTER {event} ON {table} {each} EXECUTE FUNCTION {function}()",
        function=f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN {work}; RETURN NULL; END $$",
    )


def on_sqlite(name: str, table: str, event: str, work: str, *, condition: str = "true") -> Trigger:
    """A trigger that does the work after the event, for SQLite: for each row, which is `NEW` and `OLD`."""
    statement = f"CREATE TRIGGER {name} AFTER {event} ON {table} WHEN {condition} BEGIN {work}; END"
    return Trigger(name, table, statement)


@dataclass(frozen=True, slots=True)
class TriggerSet:
    """Triggers that migrations install and remove together: all, or those of some parts, such as of one table.

    make: takes the database's vendor and a part. functions: of PostgreSQL, which the triggers call.
    """

    make: Callable[[str, Any], Iterable[Trigger]]
    parts: Sequence[Any] = (None,)
    functions: Sequence[str] = ()

    def of(self, vendor: str, *parts: Any) -> list[Trigger]:
        """The triggers of these parts, by default of all."""
        return [trigger for part in parts or self.parts for trigger in self.make(vendor, part)]

    def install(self, schema_editor: BaseDatabaseSchemaEditor, *parts: Any) -> None:
        """Create the triggers for the database's vendor, and replace older ones."""
        if schema_editor.connection.vendor == "postgresql":
            for function in self.functions:
                schema_editor.execute(function, None)
        self.remove(schema_editor, *parts)
        create(schema_editor, self.of(schema_editor.connection.vendor, *parts))

    def remove(self, schema_editor: BaseDatabaseSchemaEditor, *parts: Any) -> None:
        """Drop the triggers."""
        drop(schema_editor, self.of(schema_editor.connection.vendor, *parts))

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """The names of the triggers that are missing or disabled."""
        return missing(connection, self.of(connection.vendor))


def create(schema_editor: BaseDatabaseSchemaEditor, triggers: Iterable[Trigger]) -> None:
    """Create the triggers with their functions."""
    for trigger in triggers:
        if trigger.function:
            schema_editor.execute(trigger.function, None)
        schema_editor.execute(trigger.statement, None)


def drop(schema_editor: BaseDatabaseSchemaEditor, triggers: Iterable[Trigger]) -> None:
    """Drop those of the triggers that exist."""
    for trigger in triggers:
        of_table = f" ON {trigger.table}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{of_table}")


def missing(connection: BaseDatabaseWrapper, triggers: Iterable[Trigger]) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    with connection.cursor() as cursor:
        cursor.execute(_ENABLED[connection.vendor])
        enabled = set(cursor.fetchall())
    return [trigger.name for trigger in triggers if (trigger.name, trigger.table) not in enabled]


_ENABLED = {
    "postgresql": "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)",
    "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
}
"""The enabled triggers, by name and table."""
