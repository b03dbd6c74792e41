"""SQL: the ORM's text, kept and completed by what the ORM does not write.

Every text begins as `queryset.values_list(*columns).query`; by hand come only the count folded into the page, keys as
one array parameter, and ranges of tree paths. Values are always parameters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import orjson
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import F, TextField
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from kit.database.raw_sql import Row, fetch
from kit.reads.sql.placeholders import Pattern, Slot

Column = str | Combinable
"""A column's name or ORM path, or an expression."""
Ordered = TypeVar("Ordered", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text with its parameters; slots among them take a request's values."""

    text: str
    parameters: tuple[object, ...] = ()

    def run(self, values: Sequence[Any] = (), *more: object) -> list[Row]:
        """The rows, with `values` in the slots and further parameters behind."""
        return fetch(self.text, (*self.bound(values).parameters, *more))

    def bound(self, values: Sequence[Any]) -> "Statement":
        """The statement with `values` in the slots."""
        parameters = (
            values[each.number]
            if type(each) is Slot
            else _pattern(values[each.number])
            if type(each) is Pattern
            else each
            for each in self.parameters
        )
        return Statement(self.text, tuple(parameters))


def _pattern(text: str) -> str:
    return f"%{connection.ops.prep_for_like_query(text)}%"


@cache
def as_text(column: str) -> Cast:
    """The column as SQLite's text; its driver would parse a bare timestamp by the declared type of the column."""
    return Cast(F(column), TextField())


def of(queryset: "models.QuerySet[models.Model, object]", columns: Sequence[Column]) -> Statement | None:
    """The queryset's own SQL for these columns, or those that it has selected; None where it is known to be empty."""
    try:
        selected = queryset.values_list(*columns) if columns else queryset
        text, parameters = selected.query.sql_with_params()
    except EmptyResultSet:
        return None
    return Statement(text, tuple(parameters))


def ordered(
    queryset: "models.QuerySet[Ordered]", expression: Any, *, descending: bool, key: str = "pk"
) -> "models.QuerySet[Ordered]":
    """The queryset in that order, the key last. Nulls stand where PostgreSQL puts them, on both databases."""
    last = f"-{key}" if descending else key
    if expression is None or expression in (F(key), F(queryset.model._meta.pk.attname)):
        return queryset.order_by(last)
    first = expression.desc(nulls_first=True) if descending else expression.asc(nulls_last=True)
    return queryset.order_by(first, last)


REACH = Slot(-3)
WINDOW = (Slot(-2), Slot(-1))
"""The last three values that a page is run with: how many rows there are up to its end, limit and offset."""


def page(
    queryset: "models.QuerySet[models.Model]", columns: Sequence[Column], total: Statement | None
) -> Statement | None:
    """One page of the ordered rows; run it with REACH and WINDOW as the last values.

    total: the statement for the number of all rows, which is then each row's last value.
    """
    rows = of(queryset, columns)
    if rows is None:
        return None
    if total is not None:
        rows = with_column(rows, Statement(f"({total.text})", total.parameters))
    return Statement(f"{rows.text} LIMIT %s OFFSET %s", (*rows.parameters, *WINDOW))


def count(queryset: "models.QuerySet[models.Model]") -> Statement | None:
    """The number of rows, as one row of one value."""
    rows = of(queryset.order_by(), ["pk"])
    return rows and Statement(f"SELECT COUNT(*) FROM ({rows.text}) AS counted", rows.parameters)


KEYS = "keys of the related rows"
"""Stands in a query for the keys that a statement takes as its slot 0."""


def with_key(statement: Statement, slot: Slot) -> Statement:
    """`IN (%s)` over KEYS for a single key: of an array, PostgreSQL expects ten and plans for those."""
    return Statement(statement.text, _in_slot(statement, slot))


def with_expression(statement: Statement, expression: str) -> Statement:
    """An expression in the place of KEYS, such as a column of the statement around this one."""
    pieces = statement.text.split("%s")
    at = statement.parameters.index(KEYS)
    before, after = "%s".join(pieces[: at + 1]), "%s".join(pieces[at + 1 :])
    return Statement(f"{before}{expression}{after}", (*statement.parameters[:at], *statement.parameters[at + 1 :]))


def with_keys(statement: Statement, slot: Slot) -> Statement:
    """`IN (%s)` over KEYS as membership in one array parameter: one text for any number of keys."""
    pieces = statement.text.split("%s")
    at = statement.parameters.index(KEYS)
    if not (pieces[at].endswith("IN (") and pieces[at + 1].startswith(")")):
        raise AssertionError(f"no IN list around the keys in: {statement.text}")
    pieces[at] += _elements().removesuffix("%s")
    if connection.vendor == "sqlite":
        pieces[at + 1] = f"){pieces[at + 1]}"
    else:
        pieces[at + 1] = f"::text[]){pieces[at + 1]}"
    return Statement("%s".join(pieces), _in_slot(statement, slot))


def _in_slot(statement: Statement, slot: Slot) -> tuple[object, ...]:
    return tuple(slot if each == KEYS else each for each in statement.parameters)


def _elements() -> str:
    return "SELECT value FROM json_each(%s" if connection.vendor == "sqlite" else "SELECT unnest(%s"


def with_column(statement: Statement, column: Statement) -> Statement:
    """Add a column after the others, since the ORM groups by their numbers."""
    return _inserted(statement, _own_from(statement.text), f", {column.text}", *column.parameters)


def below_prefixes(statement: Statement, table: str, column: str, slot: Slot) -> Statement:
    """Only rows whose path lies below one of the slot's paths; '/' is the character after the separator '.'."""
    quote = connection.ops.quote_name
    path = f"{quote(table)}.{quote(column)}"
    branches = "json_each(%s) AS branch" if connection.vendor == "sqlite" else "unnest(%s::text[]) AS branch(value)"
    at = _own_from(statement.text) + len(f" FROM {quote(table)}")
    joined = f" JOIN {branches} ON {path} >= branch.value || '.' AND {path} < branch.value || '/'"
    return _inserted(statement, at, joined, slot)


def _inserted(statement: Statement, at: int, text: str, *parameters: object) -> Statement:
    before, after = statement.text[:at], statement.text[at:]
    earlier = before.count("%s")
    return Statement(
        f"{before}{text}{after}", (*statement.parameters[:earlier], *parameters, *statement.parameters[earlier:])
    )


def _own_from(text: str) -> int:
    """Where the statement's own FROM stands, behind any subquery of its columns."""
    at = text.index(" FROM ")
    while text.count("(", 0, at) != text.count(")", 0, at):
        at = text.index(" FROM ", at + 1)
    return at


def limited(statement: Statement) -> Statement:
    """At most some rows; run it with their number behind."""
    return Statement(f"{statement.text} LIMIT %s", statement.parameters)


def locked(statement: Statement, model: type[models.Model]) -> Statement:
    """The rows of that table locked until the transaction ends, as kit.database.locking locks them."""
    if connection.vendor == "sqlite":
        return statement
    table = connection.ops.quote_name(model._meta.db_table)
    return Statement(f"{statement.text} FOR NO KEY UPDATE OF {table}", statement.parameters)


def array(keys: Sequence[str]) -> str:
    """Keys as one parameter: an array literal of PostgreSQL, or JSON for SQLite.

    Written here because the driver's own dump of a list costs ten times as much for a page of ids.
    """
    if connection.vendor == "sqlite":
        return orjson.dumps(keys).decode()
    if not keys:
        return "{}"
    joined = "".join(keys)
    if '"' in joined or "\\" in joined:
        keys = [key.replace("\\", "\\\\").replace('"', '\\"') for key in keys]
    return '{"' + '","'.join(keys) + '"}'
