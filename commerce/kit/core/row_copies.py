"""Rows copied from one table to another inside the database, any number by one statement whose text never changes.

LINES = RowCopy(
    LineItem, OrderLineItem, by="cart_id", ids={"id": ("cali", "ordli")}, given=("order_id",), constants={"version": 1}
)
LINES.run(cart_id, order_id=order_id)
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection, models

from commerce.kit.core.database import fetch
from commerce.kit.core.timestamps import now


class RowCopy:
    """The copies of one table's rows as new rows of another; soft-deleted rows are not copied.

    by: the column of the source that `run` looks rows up by. Or with `through`, a foreign key of the source, the
        column of the table that it refers to.
    ids: by column of the target, the prefix of the source's ids there and their prefix in the target: `cali_X` becomes
        `ordli_X`. named: by column of the target, the column of the source, where their names differ.
    given: the columns that `run` gets values for. constants: the columns that have one value. where: a condition on the
        source's columns, in SQL.
    Timestamps are the present moment; every other column is the source's column of its name.
    """

    def __init__(
        self,
        source: type[models.Model],
        target: type[models.Model],
        *,
        by: str,
        through: str | None = None,
        ids: Mapping[str, tuple[str, str]],
        named: Mapping[str, str] | None = None,
        given: Sequence[str] = (),
        constants: Mapping[str, object] | None = None,
        where: str | None = None,
    ) -> None:
        self._source, self._target = source, target
        self._by, self._through, self._where = by, through, where
        self._ids, self._named = ids, named or {}
        self._given, self._constants = tuple(given), constants or {}
        self._text = cache(self._compiled)

    def run(self, key: str, **given: object) -> None:
        """Copy the rows that the key finds. given: a value for each such column. One statement."""
        moment = connection.ops.adapt_datetimefield_value(now())
        values = {**self._constants, **given, **dict.fromkeys(_MOMENTS, moment)}
        fetch(self._text(), [*(_adapted(values[name]) for name in self._valued()), key])

    def _valued(self) -> list[str]:
        """The columns whose values are parameters, in the order of the statement."""
        own = {*self._given, *self._constants, *_MOMENTS}
        return [column.attname for column in self._target._meta.concrete_fields if column.attname in own]

    def _compiled(self) -> str:
        columns = [column for column in self._target._meta.concrete_fields if not _is_automatic(column)]
        names = ", ".join(_quoted(str(column.column)) for column in columns)
        values = ", ".join(map(self._value, columns))
        conditions = [self._lookup()]
        if _has(self._source, "deleted_at"):
            conditions.append(f"source.{_quoted('deleted_at')} IS NULL")
        if self._where:
            conditions.append(self._where)
        table, rows = _quoted(self._target._meta.db_table), _quoted(self._source._meta.db_table)
        found = f"SELECT {values} FROM {rows} AS source WHERE {' AND '.join(conditions)}"  # noqa: S608 - names of our own
        return f"INSERT INTO {table} ({names}) {found} RETURNING 1"

    def _value(self, column: models.Field[Any, Any]) -> str:
        name = column.attname
        if name in self._given or name in self._constants or name in _MOMENTS:
            return "%s"
        if name == "deleted_at":
            return "NULL"
        read = _column(self._source, self._named.get(name, name))
        if name not in self._ids:
            return f"source.{_quoted(read)}"
        before, after = self._ids[name]
        return f"'{after}' || substr(source.{_quoted(read)}, {len(before) + 1})"

    def _lookup(self) -> str:
        if self._through is None:
            return f"source.{_quoted(_column(self._source, self._by))} = %s"
        key = self._source._meta.get_field(self._through)
        parent: type[models.Model] = key.related_model  # type: ignore[assignment]
        table, own = _quoted(parent._meta.db_table), _quoted(_column(parent, parent._meta.pk.attname))
        wanted = f"SELECT {own} FROM {table} WHERE {_quoted(_column(parent, self._by))} = %s"  # noqa: S608 - names of our own
        return f"source.{_quoted(_column(self._source, key.name))} IN ({wanted})"


_MOMENTS = ("created_at", "updated_at")


def _is_automatic(column: models.Field[Any, Any]) -> bool:
    return isinstance(column, models.AutoField)


def _has(model: type[models.Model], name: str) -> bool:
    return any(column.name == name for column in model._meta.concrete_fields)


def _column(model: type[models.Model], name: str) -> str:
    return str(model._meta.get_field(name).column)  # type: ignore[union-attr]


def _adapted(value: object) -> object:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
