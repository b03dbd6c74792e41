"""Rows put straight into tables, so that millions of them take minutes; the database alone judges them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from django.db import connection, models, transaction

from kit.search.documents import DOCUMENT, document_field

Item = TypeVar("Item")
_BETWEEN = 200
MOMENT = "2026-01-01 00:00:00.123000"
"""When a row was made or changed, unless it says so itself: UTC, to the millisecond, on both databases."""


def planned_again(items: Iterable[Item]) -> Iterator[Item]:
    """The items. Statements are planned again between them: planned for empty tables, carts take ten times as long."""
    for number, item in enumerate(items):
        if number % _BETWEEN == 0:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        yield item


def fill(model: type[models.Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert the rows.

    columns: what a row holds, by the columns' names; amounts in 1/10,000, moments and JSON as text. The others get the
    model's default.
    """
    if document := document_field(model):
        searched = [columns.index(name) if name in columns else None for name in document.columns]
        rows = [(*row, document.built([None if at is None else row[at] for at in searched])) for row in rows]
        columns = (*columns, DOCUMENT)
    others = [
        field
        for field in model._meta.concrete_fields
        if field.column not in columns and not isinstance(field, models.AutoField)
    ]
    rest = tuple(_default(field) for field in others)
    names = [*columns, *(str(field.column) for field in others)]
    _insert(model._meta.db_table, names, [row + rest for row in rows])


def _default(field: Any) -> Any:
    if isinstance(field, models.DateTimeField) and not field.null:
        return MOMENT
    return field.get_db_prep_save(field.get_default(), connection)


def _insert(table: str, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    quote = connection.ops.quote_name
    target = f"{quote(table)} ({', '.join(map(quote, names))})"
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(f"INSERT INTO {target} VALUES ({', '.join(['%s'] * len(names))})", rows)
            return
        # Foreign keys are checked row by row otherwise, which takes longer than all else.
        cursor.execute("SET LOCAL session_replication_role = replica")
        with cursor.copy(f"COPY {target} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
