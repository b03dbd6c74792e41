"""Millions of rows that PostgreSQL itself computes from the numbers of a series: tables first, then their indexes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import connection, models, transaction

from tests.bench.filling import MOMENT


@contextmanager
def without_indexes(*tables: str) -> Iterator[None]:
    """Drop the indexes of these tables that implement no constraint, and rebuild them at the end: much faster."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
            "WHERE NOT indisunique AND indrelid = ANY(%s::regclass[])",
            [list(tables)],
        )
        found = cursor.fetchall()
        for name, _ in found:
            cursor.execute(f"DROP INDEX {name}")
        yield
        cursor.execute("SET maintenance_work_mem = '1GB'")
        for _, definition in found:
            cursor.execute(definition)


def insert(model: type[models.Model], values: Mapping[str, str], *, source: str) -> None:
    """Insert the rows of a source, such as `generate_series(1, 1000) AS n`.

    values: SQL over its columns, by column of the model; other columns get the model's default.
    """
    others = [
        field
        for field in model._meta.concrete_fields
        if field.column and field.column not in values and not isinstance(field, models.AutoField)
    ]
    names = ", ".join([*values, *(str(field.column) for field in others)])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no foreign keys and triggers, row by row
        marks = ", ".join([*(value.replace("%", "%%") for value in values.values()), *["%s"] * len(others)])
        cursor.execute(f"INSERT INTO {model._meta.db_table} ({names}) SELECT {marks} FROM {source}", _defaults(others))


def _defaults(fields: list[Any]) -> list[Any]:
    return [
        MOMENT if isinstance(field, models.DateTimeField) and not field.null else _default(field) for field in fields
    ]


def _default(field: Any) -> Any:
    return field.get_db_prep_save(field.get_default(), connection)
