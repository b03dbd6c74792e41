"""Triggers that enforce the ledger's invariants for every client of the database.

1. An entry is never changed and never removed.
2. The totals of a group and of an account are the sums of their entries: a new entry is added to both, and nothing
   else changes them.
3. The owner and currency of an account and the account of a group never change.
4. A gift card keeps its value, currency and code, and, once redeemed or canceled, its status and customer.
5. What an account holds is the sum of its holds, and a held card names its hold's attempt: a new hold changes both, a
   deleted one changes them back, and nothing else does. A hold never changes.

A migration installs them. On SQLite, a migration that changes a table rebuilds it: its triggers are lost, and triggers
of other tables that refer to it fail. A migration that changes a table of this app therefore starts with `remove` and
ends with `install`, as 0002_guards does. `verify_ledger` lists missing triggers.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from giftcards.triggers import postgresql, sqlite
from giftcards.triggers.trigger import HOLDS, Trigger

_TRIGGERS: dict[str, tuple[Trigger, ...]] = {"postgresql": postgresql.TRIGGERS, "sqlite": sqlite.TRIGGERS}


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create all triggers for the database's vendor, and replace older ones.

    0002_guards runs it before there are holds: their triggers come with their table.
    """
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        for function in postgresql.FUNCTIONS:
            schema_editor.execute(function, None)
    remove(schema_editor)
    has_holds = HOLDS in schema_editor.connection.introspection.table_names()
    for trigger in _TRIGGERS[vendor]:
        if has_holds or not trigger.is_of_holds:
            schema_editor.execute(trigger.statement, None)


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop all triggers."""
    for trigger in _TRIGGERS[schema_editor.connection.vendor]:
        of_table = f" ON {trigger.table}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{of_table}")


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    with connection.cursor() as cursor:
        cursor.execute(_ENABLED[connection.vendor])
        enabled = set(cursor.fetchall())
    return [trigger.name for trigger in _TRIGGERS[connection.vendor] if (trigger.name, trigger.table) not in enabled]


_ENABLED = {
    "postgresql": "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)",
    "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
}
"""The enabled triggers, by name and table."""
