"""Triggers that hold the ledger's laws below every program that can reach the database.

1. An entry is never changed and never removed.
2. What is kept of a group and of an account is the sum of its entries: a new entry is added to both, and nothing else
   changes them.
3. Whose an account is, in which currency, and where a group belongs never changes.
4. A gift card keeps value, currency and code; once redeemed or canceled its status stays, and its customer too.

A migration installs them. To change a table, migrations for SQLite rebuild it: its triggers are lost, and those of
other tables that speak of it are in the way. One that changes a table of this app begins with `remove` and ends with
`install`, as 0002_guards does. `verify_ledger` names those that are missing.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from giftcards.triggers import postgresql, sqlite
from giftcards.triggers.trigger import Trigger

_TRIGGERS: dict[str, tuple[Trigger, ...]] = {"postgresql": postgresql.TRIGGERS, "sqlite": sqlite.TRIGGERS}


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put every trigger of the database's kind in place, in that of an older one of its name."""
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        for function in postgresql.FUNCTIONS:
            schema_editor.execute(function, None)
    remove(schema_editor)
    for trigger in _TRIGGERS[vendor]:
        schema_editor.execute(trigger.statement, None)


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take every trigger away."""
    for trigger in _TRIGGERS[schema_editor.connection.vendor]:
        of_table = f" ON {trigger.table}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{of_table}")


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that the database does not have on their tables, or does not run."""
    with connection.cursor() as cursor:
        cursor.execute(_ENABLED[connection.vendor])
        there = set(cursor.fetchall())
    return [trigger.name for trigger in _TRIGGERS[connection.vendor] if (trigger.name, trigger.table) not in there]


_ENABLED = {
    "postgresql": "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)",
    "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
}
"""The triggers that run, each by its name and table."""
