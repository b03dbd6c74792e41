"""Rows copied from one table to another inside the database, any number by one statement whose text never changes.

LINES = RowCopy(
    LineItem, OrderLineItem, by="cart_id", ids={"id": ("cali", "ordli")}, given=("order_id",), constants={"version": 1}
)
LINES.run(cart_id, order_id=order_id)
"""

from collections.abc import Mapping, Sequence
from functools import cache

import orjson
from django.db import connection, models

from kit.database.raw_sql import fetch
from kit.database.sql_names import column, table
from kit.values.timestamps import now


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
        self._constants = constants or {}
        self._valued = {*given, *self._constants, *_MOMENTS}
        self._statement = cache(self._compiled)

    def run(self, *keys: str, **given: object) -> None:
        """Copy the rows that the keys find. given: a value for each such column. One statement."""
        text, valued = self._statement(is_one=len(keys) == 1)
        moment = connection.ops.adapt_datetimefield_value(now())
        values = {**self._constants, **given, **dict.fromkeys(_MOMENTS, moment)}
        wanted = keys[0] if len(keys) == 1 else orjson.dumps(keys).decode()
        fetch(text, [*(values[name] for name in valued), wanted])

    def _compiled(self, *, is_one: bool) -> tuple[str, list[str]]:
        """The text for one key or several, and the columns whose values are its parameters, in their order."""
        columns = [
            each.attname for each in self._target._meta.concrete_fields if not isinstance(each, models.AutoField)
        ]
        names = ", ".join(column(self._target, name) for name in columns)
        values = ", ".join(map(self._value, columns))
        conditions = [self._lookup("= %s" if is_one else _AMONG[connection.vendor])]
        if _has(self._source, "deleted_at"):
            conditions.append(f"source.{column(self._source, 'deleted_at')} IS NULL")
        if self._where:
            conditions.append(self._where)
        rows = f"{table(self._source)} AS source WHERE {' AND '.join(conditions)}"
        text = f"INSERT INTO {table(self._target)} ({names}) SELECT {values} FROM {rows} RETURNING 1"  # noqa: S608 - names of our own
        return text, [name for name in columns if name in self._valued]

    def _value(self, name: str) -> str:
        if name in self._valued:
            return "%s"
        if name == "deleted_at":
            return "NULL"
        read = f"source.{column(self._source, self._named.get(name, name))}"
        if name not in self._ids:
            return read
        before, after = self._ids[name]
        return f"'{after}' || substr({read}, {len(before) + 1})"

    def _lookup(self, matches: str) -> str:
        if self._through is None:
            return f"source.{column(self._source, self._by)} {matches}"
        key = self._source._meta.get_field(self._through)
        parent: type[models.Model] = key.related_model  # type: ignore[assignment]
        own, wanted = column(parent, parent._meta.pk.attname), column(parent, self._by)
        found = f"SELECT {own} FROM {table(parent)} WHERE {wanted} {matches}"  # noqa: S608 - names of our own
        return f"source.{column(self._source, key.name)} IN ({found})"


_AMONG = {
    "sqlite": "IN (SELECT value FROM json_each(%s))",
    "postgresql": "= ANY(ARRAY(SELECT jsonb_array_elements_text(%s::jsonb)))",
}
_MOMENTS = ("created_at", "updated_at")


def _has(model: type[models.Model], name: str) -> bool:
    return any(each.name == name for each in model._meta.concrete_fields)
