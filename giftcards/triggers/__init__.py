"""Triggers that enforce the ledger's invariants for every client of the database.

1. An entry is never changed or removed; only its note can be erased.
2. The totals of a group and of an account are the sums of their entries: a new entry is added to both, and nothing
   else changes them.
3. The owner and currency of an account and the account of a group never change.
4. A gift card keeps its value, currency and code, and, once redeemed or canceled, its status and customer.
5. What an account holds is the sum of its holds, and a held card names its hold's attempt: a new hold changes both, a
   deleted one changes them back, and nothing else does. A hold never changes.

A migration that changes a table of this app starts with `remove` and ends with `install`, as 0002_guards does (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from giftcards.triggers import postgresql, sqlite
from giftcards.triggers.trigger import HOLDS, Trigger
from kit.database import triggers

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
    triggers.create(schema_editor, (each for each in _TRIGGERS[vendor] if has_holds or not each.is_of_holds))


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop all triggers."""
    triggers.drop(schema_editor, _TRIGGERS[schema_editor.connection.vendor])


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, _TRIGGERS[connection.vendor])
