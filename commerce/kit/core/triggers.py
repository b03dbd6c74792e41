"""Triggers: creating them, dropping them, and finding those that are missing.

A migration installs them. On SQLite, a migration that changes a table rebuilds it: its triggers are lost, and triggers
of other tables that refer to it fail. Such a migration starts by dropping them and ends by creating them again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


@dataclass(frozen=True)
class Trigger:
    """statement: creates the trigger."""

    name: str
    table: str
    statement: str


def create(schema_editor: BaseDatabaseSchemaEditor, triggers: Iterable[Trigger]) -> None:
    """Create the triggers."""
    for trigger in triggers:
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
