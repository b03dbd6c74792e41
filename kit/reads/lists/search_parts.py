"""A search, and the SQL that its statements (searches.py, search_pages.py) are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import Combinable, RawSQL

from kit.reads.declarations.sorting import Related
from kit.reads.sql import statements
from kit.reads.sql.statements import Column, Statement
from kit.search.ranking import Relevance

FEW = 5000
"""Up to this many rows are looked up or tested one by one."""

Tables = list[tuple[str, Statement]]
"""The tables of a WITH: their names with their columns, and the statements that fill them."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for rows of the model, and their order.

    found_keys: the keys that the search finds, as a query for them.
    alternatives: the rows that the other conditions of an `$or` find, if it has any.
    rows: the rows that the caller may see and that meet the other conditions.
    is_whole: whether nothing limits `rows`: they are all rows of the table.
    entry: the column of search entries that has the row's key, if `found_keys` reads search entries.
    related: what sorts the rows, if that is a column of related rows.
    listing: all rows that the search could find, as a narrow table (listings.py), if one can sort by the expression or
        has the key of the related rows.
    """

    model: type[models.Model]
    found_keys: "QuerySet[models.Model, object]"
    rows: "QuerySet[models.Model]"
    is_whole: bool
    expression: Combinable | None = None
    descending: bool = False
    alternatives: "QuerySet[models.Model, Any] | None" = None
    entry: str | None = None
    related: Related | None = None
    listing: "QuerySet[Any] | None" = None
    relevance: Relevance | None = None

    @property
    def sorts_by_key(self) -> bool:
        """Whether the rows are sorted by their keys."""
        return self.expression is None or self.expression == models.F(self.model._meta.pk.attname)

    @property
    def matches(self) -> str:
        """The name of the table of the matches' keys."""
        return "found" if self.is_whole else "matches"

    @property
    def sort(self) -> list[Column]:
        """The column that sorts the rows, unless that is the key."""
        return [] if self.expression is None or self.sorts_by_key else [self.expression]

    @property
    def sort_of_matches(self) -> list[Column]:
        """The column that sorts the rows, if the table of the matches has it, so that it need not be read again."""
        return [] if self.is_whole or self.related or self.listing is not None else self.sort

    @property
    def names(self) -> str:
        """What the statement calls the key and the column that sorts the rows."""
        return "key" if self.sorts_by_key else "key, sort"

    def order(self, *, backwards: bool = False, key: str = "key", sort: str = "sort") -> str:
        """The ORDER BY of these columns. backwards: from the end of the list."""
        descending = self.descending != backwards
        last = f"{key} {'DESC' if descending else 'ASC'}"
        nulls = "DESC NULLS FIRST" if descending else "ASC NULLS LAST"
        return last if self.sorts_by_key else f"{sort} {nulls}, {last}"


def entry_matches(search: Search, key: str) -> Statement | None:
    """The condition that the search finds the row of that key, by its search entry alone.

    None if the search reads no entries.
    """
    if search.entry is None or connection.vendor == "sqlite":
        return None
    entry = statements.of(search.found_keys.filter(**{search.entry: statements.KEYS}).order_by(), [])
    if entry is None:
        return None
    # A scalar subquery cannot become a join: each row is tested by itself.
    return statements.with_expression(Statement(f"({entry.text}) IS NOT NULL", entry.parameters), key)


def rows_by_key(rows: "QuerySet[Any]", table: str) -> "QuerySet[Any]":
    """Those of the rows whose keys the table has, each looked up by its key."""
    return rows.filter(pk__in=RawSQL(f"SELECT key FROM {table}", ()))


def rows_by_comparison(rows: "QuerySet[Any]", column: str, table: str, truth: str = "IS TRUE") -> "QuerySet[Any]":
    """Those of the rows whose keys the table has, by comparing each row with a hash table of the keys.

    column: has the rows' keys. truth: what the comparison must be.
    """
    key = quoted_column(rows.model, column)
    # As a truth value the condition cannot become a join: each row is looked up in a hash table.
    return rows.filter(raw_condition(f"({key} IN (SELECT key FROM {table})) {truth}"))


def quoted_column(model: type[models.Model], column: str) -> str:
    """The column with its table, as SQL names them."""
    quote = connection.ops.quote_name
    return f"{quote(model._meta.db_table)}.{quote(column)}"


def select(rows: "QuerySet[Any, Any]", columns: Sequence[Column], condition: str = "") -> Statement:
    """The statement that selects the columns of rows of which Django does not know that there are none."""
    statement = statements.of((rows.filter(raw_condition(condition)) if condition else rows).order_by(), columns)
    if statement is None:
        raise AssertionError(f"no rows of {rows.model}")
    return statement


def has_many(table: str) -> str:
    """The condition that the table has more than FEW rows."""
    return f"EXISTS (SELECT 1 FROM {table} OFFSET {FEW})"


def raw_condition(condition: str) -> RawSQL:
    """The condition, as the ORM takes it."""
    return RawSQL(condition, (), output_field=BooleanField())


def joined(pieces: Sequence[Statement], by: str) -> Statement:
    """The statements as one, with this text between them."""
    return Statement(
        by.join(each.text for each in pieces), tuple(value for each in pieces for value in each.parameters)
    )
