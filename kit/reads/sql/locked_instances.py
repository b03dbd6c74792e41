"""Model instances that a verb locks, by one statement that is compiled once.

LEVELS = locked_rows(InventoryLevel, lambda location_id: InventoryLevel.objects.filter(location=location_id))
LEVELS.read([level_id], location_id)  # [<InventoryLevel: …>], locked until the transaction ends

kit.database.locking does the same for any queryset, whose SQL the ORM writes again each time.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model, QuerySet

from kit.reads.sql.keyed_rows import KeyedRows

Instance = TypeVar("Instance", bound=Model)


def locked_rows(
    model: type[Instance], rows: Callable[..., "QuerySet[Any]"], *, key: str = "id"
) -> "KeyedRows[Instance]":
    """The model's rows with all their columns, locked in primary-key order. rows, key: as of KeyedRows."""
    return instances(model, rows, key=key, locked=True)


def instances(
    model: type[Instance], rows: Callable[..., "QuerySet[Any]"], *, key: str = "id", locked: bool = False
) -> "KeyedRows[Instance]":
    """The same, unlocked unless the caller says so: rows that the lock of another row protects."""
    names = [field.attname for field in model._meta.concrete_fields]

    def instance(*values: object) -> Instance:
        return model.from_db(DEFAULT_DB_ALIAS, names, values)

    return KeyedRows(rows, key=key, row=instance, columns=names, decoded=names, locked=locked)
