"""Rows of one table written as the database holds them, any number by one statement whose text never changes.

The ORM builds a model instance for each row and SQL for each call; this is for what every change of a
cart writes. A row is a mapping from the model's attributes (`region_id`) to raw values: amounts as integers of
1/10,000, moments as aware datetimes, JSON as its Python value, everything else unchanged. All rows of a call have the
same attributes. Constraints of the database apply; `save`, signals and defaults do not.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache

import orjson
from django.db import connection, models

from kit.database.raw_sql import fetch
from kit.database.sql_names import column, quoted, table

RawRow = Mapping[str, object]


def insert(model: type[models.Model], rows: Sequence[RawRow], *, ignore_conflicts: bool = False) -> int:
    """New rows, with a value for every column that the database does not fill itself. Returns how many were inserted.

    ignore_conflicts: whether a row that breaks a unique constraint is left out.
    """
    if not rows:
        return 0
    return len(fetch(_insertion(model, tuple(rows[0]), ignore_conflicts, connection.vendor), [_written(rows)]))


def update(model: type[models.Model], rows: Sequence[RawRow]) -> None:
    """Update stored rows, each identified by its primary key, whatever its name."""
    if rows:
        fetch(_change(model, tuple(rows[0]), connection.vendor), [_written(rows)])


def delete(model: type[models.Model], keys: Sequence[str]) -> None:
    """Delete rows by their primary keys. Rows that refer to them must be deleted first."""
    if keys:
        fetch(_removal(model, connection.vendor), [orjson.dumps(keys).decode()])


def _written(rows: Sequence[RawRow]) -> str:
    """PostgreSQL parses timestamps in any form; SQLite stores the text as it is, so it must be in Django's form."""
    option = orjson.OPT_PASSTHROUGH_DATETIME if connection.vendor == "sqlite" else None
    return orjson.dumps(rows, default=_plain, option=option).decode()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return str(connection.ops.adapt_datetimefield_value(value))
    raise TypeError(f"{type(value)} is no raw value")


@cache
def _insertion(model: type[models.Model], names: tuple[str, ...], ignore_conflicts: bool, vendor: str) -> str:
    columns = ", ".join(_columns(model, names))
    values = ", ".join(_values(model, names, vendor))
    given = f"{_given_sql(model, names, vendor)} WHERE true"  # without it, SQLite takes ON CONFLICT for that of a join
    ending = "ON CONFLICT DO NOTHING RETURNING 1" if ignore_conflicts else "RETURNING 1"
    return f"INSERT INTO {table(model)} ({columns}) SELECT {values} FROM {given} {ending}"  # noqa: S608 - names of our own


@cache
def _change(model: type[models.Model], names: tuple[str, ...], vendor: str) -> str:
    key = model._meta.pk.attname
    changed = [name for name in names if name != key]
    pairs = zip(_columns(model, changed), _values(model, changed, vendor), strict=True)
    assigned = ", ".join(f"{name} = {value}" for name, value in pairs)
    (own,), (wanted,) = _columns(model, [key]), _values(model, [key], vendor)
    changed_table, given = table(model), _given_sql(model, names, vendor)
    return f"UPDATE {changed_table} SET {assigned} FROM {given} WHERE {changed_table}.{own} = {wanted} RETURNING 1"  # noqa: S608 - names of our own


@cache
def _removal(model: type[models.Model], vendor: str) -> str:
    (key,) = _columns(model, [model._meta.pk.attname])
    keys = "SELECT value FROM json_each(%s)" if vendor == "sqlite" else "SELECT jsonb_array_elements_text(%s::jsonb)"
    return f"DELETE FROM {table(model)} WHERE {key} IN ({keys}) RETURNING 1"  # noqa: S608 - names of our own


def _given_sql(model: type[models.Model], names: Sequence[str], vendor: str) -> str:
    if vendor == "sqlite":
        return "json_each(%s) AS given"
    typed = ", ".join(f"{quoted(name)} {model._meta.get_field(name).db_type(connection)}" for name in names)
    return f"jsonb_to_recordset(%s::jsonb) AS given({typed})"


def _values(model: type[models.Model], names: Sequence[str], vendor: str) -> list[str]:
    if vendor == "sqlite":
        return [f"json_extract(given.value, '$.{name}')" for name in names]
    return [f"given.{quoted(name)}" for name in names]


def _columns(model: type[models.Model], names: Sequence[str]) -> list[str]:
    return [column(model, name) for name in names]
