"""The entries that products are searched by, and the triggers that keep them.

A product's entry holds the words of its own document and of its variants that are not deleted, and what decides whether
the store shows it. Triggers update it in each transaction that writes a product, a variant or a link to a sales
channel, so that no writer can forget it; `rebuild` rebuilds all entries.

A migration installs the triggers. On SQLite, a migration that changes a table rebuilds it and loses its triggers: a
migration that changes products, variants or entries must end with `install`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

import orjson
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from catalog.search import postgresql, sqlite

_VENDORS: dict[str, ModuleType] = {"postgresql": postgresql, "sqlite": sqlite}


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers for this kind of database, replacing those of the same names."""
    install_functions(schema_editor)
    remove(schema_editor)
    for trigger in _VENDORS[schema_editor.connection.vendor].TRIGGERS:
        schema_editor.execute(trigger.made, None)


def install_functions(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create or replace what the triggers call on PostgreSQL. Locks no table."""
    if schema_editor.connection.vendor == "postgresql":
        for function in postgresql.FUNCTIONS:
            schema_editor.execute(function, None)


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers."""
    vendor = schema_editor.connection.vendor
    for trigger in _VENDORS[vendor].TRIGGERS:
        of_table = f" ON {trigger.table}" if vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{of_table}")


def missing(database: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that the database lacks."""
    kept = {"postgresql": "SELECT tgname FROM pg_trigger", "sqlite": "SELECT name FROM sqlite_master"}
    with database.cursor() as cursor:
        cursor.execute(kept[database.vendor])
        there = {name for (name,) in cursor.fetchall()}
    return [trigger.name for trigger in _VENDORS[database.vendor].TRIGGERS if trigger.name not in there]


@contextmanager
def paused() -> Iterator[None]:
    """Within a transaction: writes of products and variants do not update the terms of entries.

    Call `refresh` with these products before the transaction ends: it updates each entry once, however often written.
    """
    vendor = _VENDORS[connection.vendor]
    _run(vendor.PAUSE)
    yield
    _run(vendor.RESUME)  # an exception undoes the pause with the transaction


def refresh(product_ids: Sequence[str]) -> None:
    """Rebuild the terms of these products' entries."""
    _run(_VENDORS[connection.vendor].REFRESH, product_ids)


def renew(product_ids: Sequence[str]) -> None:
    """Like refresh, and also create missing entries and rebuild what decides whether the products are shown."""
    vendor = _VENDORS[connection.vendor]
    for statement in (vendor.MISSING, vendor.HOLD, vendor.SHOWN, vendor.REFRESH):
        _run(statement, product_ids)


def _run(statement: str, ids: Sequence[str] | None = None) -> None:
    given = orjson.dumps(list(ids or ())).decode() if connection.vendor == "sqlite" else list(ids or ())
    with connection.cursor() as cursor:
        cursor.execute(statement, None if ids is None else [given])
