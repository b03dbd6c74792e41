"""What the statements of searches are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import Combinable, RawSQL

from commerce.kit.projection import statements
from commerce.kit.projection.sorting import Related
from commerce.kit.projection.statements import Column, Statement

FEW = 5000
"""Up to this many rows are looked up or tested one by one."""

Tables = list[tuple[str, Statement]]
"""Tables before the statement: their names with their columns, and what they hold."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for rows of the model, and their order.

    found: the keys that the search finds, as a query for them.
    alternatives: the keys of rows that are found without the search, if any.
    rows: the rows that the gate and the other conditions allow.
    is_whole: whether there is no gate or other condition: `rows` are all of the table.
    entry: where `found` reads search entries, the column of these that has the key.
    related: what sorts the rows, if that is a column of related rows.
    listing: all rows that `found` could find, as a narrow table (listings.py) that sorts by the expression, or has the
        column that leads to the related rows, if any.
    """

    model: type[models.Model]
    found: "QuerySet[models.Model, object]"
    rows: "QuerySet[models.Model]"
    is_whole: bool
    expression: Combinable | None = None
    descending: bool = False
    alternatives: "QuerySet[models.Model, Any] | None" = None
    entry: str | None = None
    related: Related | None = None
    listing: "QuerySet[Any] | None" = None

    @property
    def is_by_key(self) -> bool:
        """Whether the order is that of the keys."""
        return self.expression is None or self.expression == models.F(self.model._meta.pk.attname)

    @property
    def matches(self) -> str:
        """The table of the matches' keys."""
        return "found" if self.is_whole else "matches"

    @property
    def sort(self) -> list[Column]:
        """The column that sorts the rows, if it is not the key."""
        return [] if self.expression is None or self.is_by_key else [self.expression]

    @property
    def kept(self) -> list[Column]:
        """The column that sorts the rows, if the table of the matches has it, too: else it would be read again."""
        return [] if self.is_whole or self.related or self.listing is not None else self.sort

    @property
    def names(self) -> str:
        """What the statement calls the key and this column."""
        return "key" if self.is_by_key else "key, sort"

    def order(self, *, backwards: bool = False, key: str = "key", sort: str = "sort") -> str:
        """The order of these columns. backwards: from the end of the list."""
        descending = self.descending != backwards
        by_key = f"{key} {'DESC' if descending else 'ASC'}"
        nulls = "DESC NULLS FIRST" if descending else "ASC NULLS LAST"
        return by_key if self.is_by_key else f"{sort} {nulls}, {by_key}"


def test(search: Search, key: str) -> Statement | None:
    """Whether the row of that key is found, by its search entry alone. None where the search reads no entries."""
    if search.entry is None or connection.vendor == "sqlite":
        return None
    entry = statements.of(search.found.filter(**{search.entry: statements.KEYS}).order_by(), [])
    if entry is None:
        return None
    # A scalar subquery cannot become a join: each row is tested by itself.
    return statements.with_expression(Statement(f"({entry.text}) IS NOT NULL", entry.parameters), key)


def looked_up(rows: "QuerySet[Any]", table: str) -> "QuerySet[Any]":
    """The rows that the table has the keys of, looked up by key."""
    return rows.filter(pk__in=RawSQL(f"SELECT key FROM {table}", ()))


def compared(rows: "QuerySet[Any]", column: str, table: str, wanted: str = "IS TRUE") -> "QuerySet[Any]":
    """All these rows, compared with the keys in the table. column: that of the rows' keys."""
    quote = connection.ops.quote_name
    key = f"{quote(rows.model._meta.db_table)}.{quote(column)}"
    # As a truth value the condition cannot become a join: each row is looked up in a hash table.
    return rows.filter(holds(f"({key} IN (SELECT key FROM {table})) {wanted}"))


def of(rows: "QuerySet[Any, Any]", columns: Sequence[Column], condition: str = "") -> Statement:
    """The statement for rows that are not known to be none."""
    found = statements.of((rows.filter(holds(condition)) if condition else rows).order_by(), columns)
    if found is None:
        raise AssertionError(f"no rows of {rows.model}")
    return found


def many(table: str) -> str:
    """Whether the table has many rows."""
    return f"EXISTS (SELECT 1 FROM {table} OFFSET {FEW})"


def holds(condition: str) -> RawSQL:
    """The condition, for the ORM."""
    return RawSQL(condition, (), output_field=BooleanField())


def joined(parts: Sequence[Statement], by: str) -> Statement:
    """These texts as one statement."""
    return Statement(by.join(each.text for each in parts), tuple(each for part in parts for each in part.parameters))
