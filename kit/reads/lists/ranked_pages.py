"""How the page of a search is chosen where the best matches come first (kit/search/ranking.py).

The first matches by key are ranked, at most MOST_RANKED; the others follow by key, so that no page depends on more.
"""

from typing import Any

from django.db.models import Case, QuerySet, Value, When
from django.db.models.expressions import Combinable

from kit.reads.lists.search_parts import Search, Tables, quoted_column, raw_condition, rows_by_key, select
from kit.reads.sql import statements
from kit.reads.sql.statements import Statement
from kit.search.ranking import MOST_RANKED, UNRANKED, Relevance, rank

_IS_BEHIND = "{} > (SELECT MAX(key) FROM candidates)"


def page_tables(search: Search, by: Relevance) -> Tables:
    """The table `chosen`, of the keys on the page, after those that it is made from."""
    first = Statement(f"SELECT key FROM {search.matches} ORDER BY key LIMIT {MOST_RANKED}")
    candidates: QuerySet[Any] = rows_by_key(QuerySet(search.model), "candidates")
    others = f"SELECT key, {UNRANKED} FROM {search.matches} WHERE %s > {MOST_RANKED} AND {_IS_BEHIND.format('key')}"
    text = f"SELECT key FROM (SELECT * FROM ranked UNION ALL {others}) AS row ORDER BY rank, key LIMIT %s OFFSET %s"
    return [
        ("candidates (key)", first),
        ("ranked (key, rank)", select(candidates, ["pk", rank(search.model, by)])),
        ("chosen (key)", Statement(text, (statements.REACH, *statements.WINDOW))),
    ]


def order(search: Search, by: Relevance) -> Combinable:
    """What sorts the rows of the page."""
    key = quoted_column(search.model, str(search.model._meta.pk.column))
    behind = raw_condition(_IS_BEHIND.format(key))
    return Case(When(behind, then=Value(UNRANKED)), default=rank(search.model, by))
