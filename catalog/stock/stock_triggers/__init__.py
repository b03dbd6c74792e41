"""Triggers that enforce the rules of stock for every client of the database.

1. A level's reserved_quantity is the sum of its reservations that are not deleted: a reservation that is made, changed
   or ended changes it, and nothing else does.
2. A level's stocked_quantity is the stocked_after of its newest movement. Only a new movement changes it, and it must
   begin with the current stock.
3. A movement is never changed and never removed.
4. A level keeps its item and location, begins without stock, and cannot be removed while it has reservations.

A migration that changes one of these tables starts with `remove` and ends with `install` (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from catalog.stock.stock_triggers import postgresql, sqlite
from kit.database import triggers

TRIGGERS = {"postgresql": postgresql.TRIGGERS, "sqlite": sqlite.TRIGGERS}


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create all triggers for the database's vendor, and replace older ones."""
    if schema_editor.connection.vendor == "postgresql":
        for function in postgresql.FUNCTIONS:
            schema_editor.execute(function, None)
    remove(schema_editor)
    triggers.create(schema_editor, TRIGGERS[schema_editor.connection.vendor])


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop all triggers."""
    triggers.drop(schema_editor, TRIGGERS[schema_editor.connection.vendor])


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, TRIGGERS[connection.vendor])
