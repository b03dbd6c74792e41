"""Statements of searches: matches are collected once, for the page and for its count.

PostgreSQL cannot know how many rows a search will find. It always expects few, and would look up each of 100,000 by
itself. So the statement contains several ways, and takes one of them when it knows how many were found.

The matches are the found rows that also meet the other conditions:

- If few are found, their rows are looked up by key.
- If many are found, but few rows meet the other conditions, each of these rows is tested by its own search entry.
- Otherwise, all rows are compared with the found keys, in a hash table.
"""

from collections.abc import Sequence

from django.db import connection, models
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from kit.reads.lists import ranked_pages, search_parts
from kit.reads.lists.search_pages import page_tables
from kit.reads.lists.search_parts import (
    Search,
    Tables,
    entry_matches,
    has_many,
    joined,
    rows_by_comparison,
    rows_by_key,
    select,
)
from kit.reads.sql import statements
from kit.reads.sql.statements import Column, Statement

_ALL_FOUND = Statement("SELECT key FROM searched UNION ALL SELECT key FROM alternatives")


def page(search: Search, columns: Sequence[Column], *, counted: bool) -> Statement | None:
    """One page; run it with REACH and WINDOW as the last values. None where nothing can be found."""
    matches = _match_tables(search)
    on_page: QuerySet[models.Model] = QuerySet(search.model).filter(pk__in=RawSQL("SELECT key FROM chosen", ()))
    by = search.relevance
    sort = ranked_pages.order(search, by) if by else search.expression
    rows = statements.of(statements.ordered(on_page, sort, descending=search.descending), columns)
    if matches is None or rows is None:
        return None
    if counted:
        rows = statements.with_column(rows, Statement("(SELECT number FROM total)"))
    total = Statement(f"SELECT COUNT(*) FROM {search.matches}")
    page_of_keys = ranked_pages.page_tables(search, by) if by else page_tables(search)
    return joined([_with([*matches, ("total (number)", total), *page_of_keys]), rows], " ")


def count(search: Search) -> Statement | None:
    """The number of all rows, as one row of one value."""
    return _of_all(search, "SELECT COUNT(*)")


def keys(search: Search) -> Statement | None:
    """The keys of all rows, as rows of one value."""
    return _of_all(search, "SELECT key")


def _of_all(search: Search, selected: str) -> Statement | None:
    matches = _match_tables(search)
    if matches is None:
        return None
    return joined([_with(matches), Statement(f"{selected} FROM {search.matches}")], " ")


def _match_tables(search: Search) -> Tables | None:
    """`found` and, if there are other conditions, `matches`: the keys of the rows that are found and meet them."""
    columns: list[Column] = ["pk", *search.sort_of_matches]
    tables, rows = _found_tables(search), statements.of(search.rows.order_by(), columns)
    if tables is None or rows is None or search.is_whole:
        return tables if rows else None
    names = "key, sort" if search.sort_of_matches else "key"
    if connection.vendor == "sqlite":
        return [*tables, (f"matches ({names})", select(rows_by_key(search.rows, "found"), columns))]
    ways = [select(rows_by_key(search.rows, "found"), columns, f"NOT {has_many('found')}")]
    tested, condition = entry_matches(search, "others.key"), has_many("found")
    if tested is not None:
        # One more than FEW, which shows whether there are many.
        tables.append((f"others ({names})", Statement(f"{rows.text} LIMIT {search_parts.FEW + 1}", rows.parameters)))
        text = f"SELECT {names} FROM others WHERE {condition} AND NOT {has_many('others')} AND {tested.text}"
        ways.append(Statement(text, tested.parameters))
        condition += f" AND {has_many('others')}"
    ways.append(select(rows_by_comparison(search.rows, str(search.model._meta.pk.column), "found"), columns, condition))
    return [*tables, (f"matches ({names})", joined(ways, " UNION ALL "))]


def _found_tables(search: Search) -> Tables | None:
    searched, others = statements.of(search.found_keys.order_by(), []), search.alternatives
    if others is not None and searched is not None:
        others = rows_by_comparison(others, str(search.model._meta.pk.column), "searched", "IS NOT TRUE")
    alternatives = None if others is None else statements.of(others.order_by(), ["pk"])
    if searched is not None and alternatives is not None:
        return [("searched (key)", searched), ("alternatives (key)", alternatives), ("found (key)", _ALL_FOUND)]
    only = searched or alternatives
    return None if only is None else [("found (key)", only)]


def _with(tables: Tables) -> Statement:
    # Copying two tables would cost more than reading both.
    named = (("NOT MATERIALIZED" if each is _ALL_FOUND else "MATERIALIZED", name, each) for name, each in tables)
    named_tables = [Statement(f"{name} AS {how} ({each.text})", each.parameters) for how, name, each in named]
    text = joined(named_tables, ", ")
    return Statement(f"WITH {text.text}", text.parameters)
