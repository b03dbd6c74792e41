"""Statements of searches: matches are collected once, for the page and for its count.

PostgreSQL cannot know how many rows a search will find. It always expects few, and would look up each of 100,000 by
itself; so the statement contains several ways, and takes one when it knows more:

- few matches: their rows are looked up by key;
- many matches, and few rows that meet the other conditions: each of these rows is tested by its own entry;
- many matches without other conditions: the first rows in the order of the list are tested until the page is full,
  which takes few rows, since matches are frequent; the other matches are only counted;
- a page far behind, in an order that a narrow table has: its rows are read in this order and compared with the keys of
  the matches, so that nothing is sorted;
- otherwise: all rows are compared with the keys of the matches, in a hash table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import Combinable, RawSQL

from commerce.kit.projection import statements
from commerce.kit.projection.statements import Column, Statement

FEW = 5000
"""Up to this many rows are looked up or tested one by one."""
FAR = 1000
"""A page that ends behind this many matches is not looked for among the first rows."""
_WINDOW = "LIMIT %s OFFSET %s"


@dataclass(frozen=True, slots=True)
class Search:
    """A search for rows of the model, and their order.

    found: the keys that the search finds, as a query for them.
    rows: the rows that the gate and the other conditions allow.
    is_whole: whether there is no gate or other condition: `rows` are all of the table.
    entry: where `found` reads search entries, the column of these that has the key.
    listing: all rows that `found` could find, as a narrow table that sorts by the expression (listings.py), if any.
    """

    model: type[models.Model]
    found: "QuerySet[models.Model, object]"
    rows: "QuerySet[models.Model]"
    is_whole: bool
    expression: Combinable | None = None
    descending: bool = False
    entry: str | None = None
    listing: "QuerySet[Any] | None" = None

    @property
    def is_by_key(self) -> bool:
        """Whether the order is that of the keys."""
        return self.expression is None or self.expression == models.F(self.model._meta.pk.attname)

    @property
    def columns(self) -> list[Column]:
        """The key and, if another column sorts the rows, its value."""
        return ["pk"] if self.expression is None or self.is_by_key else ["pk", self.expression]

    @property
    def names(self) -> str:
        """What the statement calls these columns."""
        return "key" if self.is_by_key else "key, sort"

    @property
    def order(self) -> str:
        """The order of these columns."""
        key = f"key {'DESC' if self.descending else 'ASC'}"
        nulls = "DESC NULLS FIRST" if self.descending else "ASC NULLS LAST"
        return key if self.is_by_key else f"sort {nulls}, {key}"


def page(search: Search, columns: Sequence[Column], *, counted: bool) -> Statement | None:
    """One page; run it with REACH and WINDOW as the last values. None where nothing can be found."""
    tables = _whole_tables(search) if search.is_whole else _tables(search)
    if tables is None:
        return None
    window = (
        RawSQL("SELECT key FROM chosen", ())
        if search.is_whole
        else RawSQL(f"SELECT key FROM chosen ORDER BY {search.order} {_WINDOW}", statements.WINDOW)
    )
    on_page: QuerySet[models.Model] = QuerySet(search.model).filter(pk__in=window)
    rows = statements.of(statements.ordered(on_page, search.expression, descending=search.descending), columns)
    if rows is None:
        return None
    if counted:
        rows = statements.with_column(rows, Statement(f"(SELECT COUNT(*) FROM {_all(search)})"))
    return _joined([_with(tables), rows], " ")


def count(search: Search) -> Statement | None:
    """The number of all rows, as one row of one value."""
    return _of_all(search, "SELECT COUNT(*)")


def keys(search: Search) -> Statement | None:
    """The keys of all rows, as rows of one value."""
    return _of_all(search, "SELECT key")


def _of_all(search: Search, selected: str) -> Statement | None:
    tables = _found(search) if search.is_whole else _tables(search)
    return None if tables is None else _joined([_with(tables), Statement(f"{selected} FROM {_all(search)}")], " ")


def _all(search: Search) -> str:
    """The table of all rows that are listed; the page is chosen among them."""
    return "found" if search.is_whole else "chosen"


Tables = list[tuple[str, Statement]]
"""Tables before the statement: their names with their columns, and what they hold."""


def _found(search: Search) -> Tables | None:
    found = statements.of(search.found.order_by(), [])
    return None if found is None else [("found (key)", found)]


def _whole_tables(search: Search) -> Tables | None:
    """`found`, and `chosen`, the keys of the page."""
    found, first = _found(search), _first(search)
    if found is None:
        return None
    if first is None:
        return [*found, (f"chosen ({search.names})", _either(_sorted(search, "")))]
    filled = "(SELECT COUNT(*) FROM first) >= %s"
    ways = [_window(search, "first", filled), *_sorted(search, f"NOT {filled}")]
    return [*found, (f"first ({search.names})", first), (f"chosen ({search.names})", _either(ways))]


def _sorted(search: Search, condition: str) -> list[Statement | None]:
    """The page, by sorting the matches. condition: of doing so, with REACH as its value."""
    if search.is_by_key:
        return [_window(search, "found", condition)]
    ways = [
        (statements.ordered(way, search.expression, descending=search.descending), search.columns)
        for way in _ways(search.rows, condition)
    ]
    if search.listing is not None and len(ways) > 1:
        compared = _compared(search.listing, "id", condition)
        ordered = statements.ordered(compared, search.expression, descending=search.descending, key="id")
        ways[1] = (ordered, ["id", *search.columns[1:]])
    pages = [statements.of(way, columns) for way, columns in ways]
    return [
        each and _part(Statement(f"{each.text} {_WINDOW}", (*each.parameters, *statements.WINDOW))) for each in pages
    ]


def _window(search: Search, table: str, condition: str) -> Statement:
    """The page of a table's rows. condition: as in _sorted."""
    held = f" WHERE {condition}" if condition else ""
    reach = (statements.REACH,) if condition else ()
    text = f"SELECT {search.names} FROM {table}{held} ORDER BY {search.order} {_WINDOW}"
    return _part(Statement(text, (*reach, *statements.WINDOW)))


def _part(statement: Statement) -> Statement:
    """The statement as a part of a UNION ALL."""
    return Statement(f"SELECT * FROM ({statement.text}) AS part", statement.parameters)


def _either(ways: Sequence[Statement | None]) -> Statement:
    return _joined([way for way in ways if way is not None], " UNION ALL ")


def _first(search: Search) -> Statement | None:
    """The matches among the first rows of the list, as many as there are up to the end of the page.

    None for an order that would be computed for every row to find the first ones.
    """
    if not (search.is_by_key or isinstance(search.expression, models.F)):
        return None
    test = _test(search, "row.key")
    rows = statements.of(
        statements.ordered(search.rows, search.expression, descending=search.descending), search.columns
    )
    if test is None or rows is None:
        return None
    text = (
        f"SELECT {search.names} FROM ({rows.text} LIMIT {FEW}) AS row ({search.names}) "
        f"WHERE {_many('found')} AND %s <= {FAR} AND {test.text} ORDER BY {search.order} LIMIT %s"
    )
    return Statement(text, (*rows.parameters, statements.REACH, *test.parameters, statements.REACH))


def _tables(search: Search) -> Tables | None:
    """`found`, and `chosen`, the keys of all rows and, if another column sorts them, its values."""
    found = _found(search)
    rows = statements.of(search.rows.order_by(), search.columns)
    if found is None or rows is None:
        return None
    test = _test(search, "others.key")
    if test is None:
        ways = [statements.of(way.order_by(), search.columns) for way in _ways(search.rows)]
        return [*found, (f"chosen ({search.names})", _either(ways))] if any(ways) else None
    looked_up = statements.of(_ways(search.rows)[0].order_by(), search.columns)
    others = f"SELECT {search.names} FROM others WHERE {_many('found')} AND"
    tested = Statement(f"{others} NOT {_many('others')} AND {test.text}", test.parameters)
    compared = Statement(f"{others} {_many('others')} AND (key IN (SELECT key FROM found)) IS TRUE")
    chosen = _either([looked_up, tested, compared])
    return [*found, (f"others ({search.names})", rows), (f"chosen ({search.names})", chosen)]


def _test(search: Search, key: str) -> Statement | None:
    """Whether the row of that key is found, by its search entry alone. None where the search reads no entries."""
    if search.entry is None or connection.vendor == "sqlite":
        return None
    entry = statements.of(search.found.filter(**{search.entry: statements.KEYS}).order_by(), [])
    if entry is None:
        return None
    # A scalar subquery cannot become a join: each row is tested by itself.
    return statements.with_expression(Statement(f"({entry.text}) IS NOT NULL", entry.parameters), key)


def _ways(rows: "QuerySet[models.Model]", condition: str = "") -> list["QuerySet[models.Model]"]:
    """The rows that are found: looked up by key if there are few, else by comparing all rows with the keys.

    condition: of comparing them, too, with REACH as its value.
    """
    looked_up = rows.filter(pk__in=RawSQL("SELECT key FROM found", ()))
    if connection.vendor == "sqlite":
        return [looked_up]
    compared = _compared(rows, str(rows.model._meta.pk.column), condition)
    return [looked_up.filter(_holds(f"NOT {_many('found')}")), compared]


def _compared(rows: "QuerySet[Any]", column: str, condition: str) -> "QuerySet[Any]":
    """All these rows, compared with the keys that are found. column: that of their keys. condition: as for _ways."""
    quote = connection.ops.quote_name
    key = f"{quote(rows.model._meta.db_table)}.{quote(column)}"
    # As a truth value the condition cannot become a join: each row is looked up in a hash table.
    compared = rows.filter(_holds(f"({key} IN (SELECT key FROM found)) IS TRUE"), _holds(_many("found")))
    return compared.filter(_holds(condition, statements.REACH)) if condition else compared


def _many(table: str) -> str:
    return f"EXISTS (SELECT 1 FROM {table} OFFSET {FEW})"


def _holds(condition: str, *values: object) -> RawSQL:
    return RawSQL(condition, values, output_field=BooleanField())


def _with(tables: Tables) -> Statement:
    parts = [Statement(f"{name} AS MATERIALIZED ({each.text})", each.parameters) for name, each in tables]
    joined = _joined(parts, ", ")
    return Statement(f"WITH {joined.text}", joined.parameters)


def _joined(parts: list[Statement], by: str) -> Statement:
    return Statement(by.join(each.text for each in parts), tuple(each for part in parts for each in part.parameters))
