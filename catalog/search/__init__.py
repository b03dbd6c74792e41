"""The entries that products are searched by, and the triggers that keep them.

A product's entry holds the words of its own document and of its living variants', and what decides whether the store
shows it. Triggers write it in the transaction of whoever writes a product, a variant or a link to a sales channel, so
that no writer can forget it; `rebuild` makes all of it afresh.

A migration installs them. To change a table, migrations for SQLite rebuild it, and its triggers are lost: one that
changes products, variants or entries ends with `install`.
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
    """Put every trigger of the database's kind in place, in that of an older one of its name."""
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        for function in postgresql.FUNCTIONS:
            schema_editor.execute(function, None)
    remove(schema_editor)
    for trigger in _VENDORS[vendor].TRIGGERS:
        schema_editor.execute(trigger.made, None)


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take every trigger away."""
    vendor = schema_editor.connection.vendor
    for trigger in _VENDORS[vendor].TRIGGERS:
        of_table = f" ON {trigger.table}" if vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{of_table}")


def missing(database: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that the database does not have."""
    kept = {"postgresql": "SELECT tgname FROM pg_trigger", "sqlite": "SELECT name FROM sqlite_master"}
    with database.cursor() as cursor:
        cursor.execute(kept[database.vendor])
        there = {name for (name,) in cursor.fetchall()}
    return [trigger.name for trigger in _VENDORS[database.vendor].TRIGGERS if trigger.name not in there]


@contextmanager
def paused() -> Iterator[None]:
    """Within a transaction: what is written of products and variants meanwhile leaves the terms of entries alone.

    Its products are to be given to `refresh` before the transaction ends: several writes of one product then cost one.
    """
    vendor = _VENDORS[connection.vendor]
    _run(vendor.PAUSE)
    yield
    _run(vendor.RESUME)  # an exception undoes the pause with the transaction


def refresh(product_ids: Sequence[str]) -> None:
    """Make the terms of the entries of these products afresh."""
    _run(_VENDORS[connection.vendor].REFRESH, product_ids)


def renew(product_ids: Sequence[str]) -> None:
    """As refresh; products without an entry get one, and what decides whether they are shown is made afresh too."""
    vendor = _VENDORS[connection.vendor]
    for statement in (vendor.MISSING, vendor.HOLD, vendor.SHOWN, vendor.REFRESH):
        _run(statement, product_ids)


def _run(statement: str, ids: Sequence[str] | None = None) -> None:
    given = orjson.dumps(list(ids or ())).decode() if connection.vendor == "sqlite" else list(ids or ())
    with connection.cursor() as cursor:
        cursor.execute(statement, None if ids is None else [given])
