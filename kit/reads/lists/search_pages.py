"""How the page of a search is chosen among its matches.

- If there are few matches, their rows are looked up by key, and sorted.
- If there are many, and the page is near the beginning, the first rows in the order of the list are tested until the
  page is full. That takes few rows, since matches are frequent; the other matches are only counted.
- If the page is far behind, all rows are compared with the keys of the matches, from the end of the list that is nearer
  to the page. If a narrow table has the order, it is read in that order, so that nothing is sorted. If the order is by
  the column of a related row, the related rows are ranked first, and the numbers of their ranks are sorted.
"""

from django.db import connection, models
from django.db.models import QuerySet

from kit.reads.declarations.sorting import Related
from kit.reads.lists import search_parts
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
from kit.reads.sql.statements import Statement

FAR = 1000
"""A page that ends after more matches than this is not looked for among the first rows."""
_FORWARDS = Statement("LIMIT %s OFFSET %s", statements.WINDOW)
_BACKWARDS = Statement(
    "LIMIT GREATEST(LEAST(%s, (SELECT number FROM far) - %s), 0) OFFSET GREATEST((SELECT number FROM far) - %s, 0)",
    (*statements.WINDOW, statements.REACH),
)
"""The same page, of rows that are read from the end of the list."""


def page_tables(search: Search) -> Tables:
    """The table `chosen`, of the keys on the page, after those that it is made from. `total` counts the matches."""
    has_sort = search.sorts_by_key or bool(search.sort_of_matches)
    if has_sort:
        few = Statement(f"SELECT {search.names} FROM {search.matches}")
    else:
        few = select(rows_by_key(QuerySet(search.model), search.matches), ["pk", *search.sort])
    if connection.vendor == "sqlite":
        text = f"{few.text} ORDER BY {search.order(key='1', sort='2')} {_FORWARDS.text}"
        return [(f"chosen ({search.names})", Statement(text, (*few.parameters, *_FORWARDS.parameters)))]
    first = _first(search)
    if first is None:
        tables, ways, unfilled = [], [], Statement("true")
    else:
        filled = Statement("(SELECT COUNT(*) FROM first) >= %s", (statements.REACH,))
        unfilled = Statement(f"NOT {filled.text}", filled.parameters)
        tables = [(f"first ({search.names})", first)]
        ways = [_window(search, Statement(f"SELECT {search.names} FROM first"), filled)]
    if has_sort:
        ways.append(_window(search, few, unfilled))
        return [*tables, ("chosen (key)", joined(ways, " UNION ALL "))]
    is_many = has_many(search.matches)
    # `far` has no row unless the page is far behind: a page without its count then needs no `total`.
    far = f"SELECT number FROM total WHERE {is_many} AND {unfilled.text}"
    tables.append(("far (number)", Statement(far, unfilled.parameters)))
    ranks = search.related and _ranks(search.related)
    if ranks:
        tables.append(("ranks (key, sort)", ranks))
    ways.append(_window(search, few, Statement(f"NOT {is_many}")))
    every = _every(search, has_ranks=bool(ranks))
    for comparison, backwards in ((">=", False), ("<", True)):
        nearer = f"(SELECT number FROM far) - %s {comparison} %s"
        condition = Statement(nearer, (statements.REACH, statements.WINDOW[1]))
        ways.append(_window(search, every, condition, backwards=backwards))
    return [*tables, ("chosen (key)", joined(ways, " UNION ALL "))]


def _every(search: Search, *, has_ranks: bool) -> Statement:
    """All matches with what sorts them, by comparing all rows with the keys of the matches."""
    listing = search.listing
    rows, key = (QuerySet(search.model), str(search.model._meta.pk.column)) if listing is None else (listing, "id")
    matching = rows_by_comparison(rows, key, search.matches)
    if search.related is None or not has_ranks:
        return select(matching, [key, *search.sort])
    linked = select(matching, [key, search.related.column])
    text = f"SELECT row.key, ranks.sort FROM ({linked.text}) AS row (key, link) LEFT JOIN ranks ON ranks.key = link"
    return Statement(text, linked.parameters)


def _ranks(related: Related) -> Statement | None:
    """The keys of related rows that have a value, with its rank among all values. None if there are none."""
    values = statements.of(related.values.order_by(), [])
    return values and Statement(
        f"SELECT key, DENSE_RANK() OVER (ORDER BY sort) FROM ({values.text}) AS related (key, sort) "
        "WHERE sort IS NOT NULL",
        values.parameters,
    )


def _window(search: Search, rows: Statement, condition: Statement, *, backwards: bool = False) -> Statement:
    """The page of these rows if the condition holds, as a part of a UNION ALL. backwards: from the end of the list."""
    window = _BACKWARDS if backwards else _FORWARDS
    text = (
        f"SELECT * FROM (SELECT key FROM ({rows.text}) AS row ({search.names}) WHERE {condition.text} "
        f"ORDER BY {search.order(backwards=backwards)} {window.text}) AS part"
    )
    return Statement(text, (*rows.parameters, *condition.parameters, *window.parameters))


def _first(search: Search) -> Statement | None:
    """The matches among the first rows of the list, up to the end of the page.

    None if the order would have to be computed for every row to find the first ones.
    """
    if not (search.sorts_by_key or isinstance(search.expression, models.F)):
        return None
    tested = entry_matches(search, "row.key")
    rows = statements.of(
        statements.ordered(search.rows, search.expression, descending=search.descending), ["pk", *search.sort]
    )
    if tested is None or rows is None:
        return None
    text = (
        f"SELECT {search.names} FROM ({rows.text} LIMIT {search_parts.FEW}) AS row ({search.names}) "
        f"WHERE {has_many(search.matches)} AND %s <= {FAR} AND {tested.text} ORDER BY {search.order()} LIMIT %s"
    )
    return Statement(text, (*rows.parameters, statements.REACH, *tested.parameters, statements.REACH))
