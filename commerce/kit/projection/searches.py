"""Statements of searches: matches are collected once, for the page and for its count.

PostgreSQL cannot know how many rows a search will find. It always expects few, and would look up each of 100,000 by
itself; so the statement contains a way for few matches and one for many, and takes one when it knows their number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, models
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import Combinable, RawSQL

from commerce.kit.projection import statements
from commerce.kit.projection.statements import Column, Statement

FEW = 5000
"""Up to this many rows are looked up one by one."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for rows of the model, and their order.

    found: the keys that the search finds, as a query for them.
    rows: the rows that the gate and the other conditions allow.
    is_whole: whether there is no gate or other condition: `rows` are all of the table.
    """

    model: type[models.Model]
    found: "QuerySet[models.Model, object]"
    rows: "QuerySet[models.Model]"
    is_whole: bool
    expression: Combinable | None = None
    descending: bool = False

    @property
    def is_by_key(self) -> bool:
        """Whether the order is that of the keys."""
        return self.expression is None or self.expression == models.F(self.model._meta.pk.attname)

    @property
    def is_cut(self) -> bool:
        """Whether only as many rows are sorted as the page needs, since the matches can be counted by themselves."""
        return self.is_whole and not self.is_by_key


def page(search: Search, columns: Sequence[Column], *, counted: bool) -> Statement | None:
    """One page; run it with REACH and WINDOW as the last values. None where nothing can be found."""
    beginning = _gathered(search)
    if beginning is None:
        return None
    window = RawSQL(f"SELECT key FROM chosen ORDER BY {_order(search)} LIMIT %s OFFSET %s", statements.WINDOW)
    on_page: QuerySet[models.Model] = QuerySet(search.model).filter(pk__in=window)
    rows = statements.of(statements.ordered(on_page, search.expression, descending=search.descending), columns)
    if rows is None:
        return None
    if counted:
        total = Statement(f"(SELECT COUNT(*) FROM {'found' if search.is_cut else 'chosen'})")
        rows = statements.with_column(rows, total)
    return _joined([beginning, rows], " ")


def count(search: Search) -> Statement | None:
    """The number of all rows, as one row of one value."""
    beginning = _gathered(search)
    return beginning and _joined([beginning, Statement("SELECT COUNT(*) FROM chosen")], " ")


def keys(search: Search) -> Statement | None:
    """The keys of all rows, as rows of one value."""
    beginning = _gathered(search)
    return beginning and _joined([beginning, Statement("SELECT key FROM chosen")], " ")


def _gathered(search: Search) -> Statement | None:
    """The beginning of a statement: `chosen`, the keys and, if another column sorts them, its values."""
    columns: list[Column] = ["pk"] if search.expression is None or search.is_by_key else ["pk", search.expression]
    found = statements.of(search.found.order_by(), [])
    if search.is_whole and search.is_by_key:
        return found and _named([("chosen", columns, found)])
    ways = [text for way in _ways(search.rows) if (text := _way(search, way, columns)) is not None]
    if found is None or not ways:
        return None
    return _named([("found", ["pk"], found), ("chosen", columns, _joined(ways, " UNION ALL "))])


def _way(search: Search, rows: "QuerySet[models.Model]", columns: list[Column]) -> Statement | None:
    if not search.is_cut:
        return statements.of(rows.order_by(), columns)
    way = statements.of(statements.ordered(rows, search.expression, descending=search.descending), columns)
    if way is None:
        return None
    cut = f"{way.text} LIMIT %s"
    return Statement(cut if connection.vendor == "sqlite" else f"({cut})", (*way.parameters, statements.REACH))


def _ways(rows: "QuerySet[models.Model]") -> list["QuerySet[models.Model]"]:
    """The rows that are found: looked up by key if there are few, else by comparing all rows with the keys."""
    looked_up = rows.filter(pk__in=RawSQL("SELECT key FROM found", ()))
    if connection.vendor == "sqlite":
        return [looked_up]
    quote = connection.ops.quote_name
    key = f"{quote(rows.model._meta.db_table)}.{quote(str(rows.model._meta.pk.column))}"
    many = f"EXISTS (SELECT 1 FROM found OFFSET {FEW})"
    # As a truth value the condition cannot become a join: each row is looked up in a hash table.
    compared = rows.filter(_holds(f"({key} IN (SELECT key FROM found)) IS TRUE"))
    return [looked_up.filter(_holds(f"NOT {many}")), compared.filter(_holds(many))]


def _holds(condition: str) -> RawSQL:
    return RawSQL(condition, (), output_field=BooleanField())


def _order(search: Search) -> str:
    key = f"key {'DESC' if search.descending else 'ASC'}"
    nulls = "DESC NULLS FIRST" if search.descending else "ASC NULLS LAST"
    return key if search.is_by_key else f"sort {nulls}, {key}"


def _named(parts: list[tuple[str, list[Column], Statement]]) -> Statement:
    tables = [
        Statement(
            f"{name} ({', '.join(('key', 'sort')[: len(columns)])}) AS MATERIALIZED ({each.text})", each.parameters
        )
        for name, columns, each in parts
    ]
    joined = _joined(tables, ", ")
    return Statement(f"WITH {joined.text}", joined.parameters)


def _joined(parts: list[Statement], by: str) -> Statement:
    return Statement(by.join(each.text for each in parts), tuple(each for part in parts for each in part.parameters))
