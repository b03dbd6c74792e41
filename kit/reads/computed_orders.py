"""Lists in an order that depends on the context of the request: on values that no column of the row has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from kit.database.raw_sql import Row
from kit.errors import InvalidData
from kit.query.paging import Page
from kit.reads.plans.levels import Level
from kit.reads.sql import statements
from kit.reads.sql.placeholders import Slot
from kit.reads.sql.statements import Statement

MOST_ROWS = 50_000
"""The most rows that are sorted."""

Values = tuple[str, tuple[object, ...]]
"""A statement and its parameters. It selects keys and their numbers from the table `matching`, whose only column is
`key`."""


@dataclass(frozen=True, eq=False)
class ComputedOrder:
    """An order by values that one statement computes for all rows of the list.

    name: what `order` calls it.
    values: gives the statement for the context of a request (ListQuery.context) and `with_deleted`; None if no row has
        a value.
    """

    name: str
    values: Callable[[Mapping[str, Any], bool], Values | None]

    def page(self, matching: Statement, values: Values | None, page: Page, *, descending: bool) -> list[Row]:
        """The keys of the page in their order, each with the number of all rows.

        matching: the statement for the keys of all rows. Rows without a value come last in both directions.
        Raises InvalidData for more rows than are sorted; their values are not computed then.
        """
        computed, parameters = values or ("SELECT key, NULL FROM matching", ())
        way = "DESC" if descending else "ASC"
        text = f"""
            WITH matching (key) AS MATERIALIZED (SELECT * FROM ({matching.text}) AS found LIMIT {MOST_ROWS + 1}),
            valued (key, value) AS (
                SELECT * FROM ({computed}) AS computed WHERE (SELECT COUNT(*) FROM matching) <= {MOST_ROWS}
            )
            SELECT matching.key, (SELECT COUNT(*) FROM matching)
            FROM matching LEFT JOIN valued ON valued.key = matching.key
            ORDER BY value IS NULL, value {way}, matching.key {way} LIMIT %s OFFSET %s
        """  # noqa: S608 - other statements, and numbers and words of our own
        window = (page.limit, min(page.offset, MOST_ROWS))
        rows = Statement(text, (*matching.parameters, *parameters, *window)).run()
        if rows and rows[0][1] > MOST_ROWS:
            raise InvalidData(f"Order field {self.name} sorts at most {MOST_ROWS} rows: add a filter")
        return rows


def rows_of(level: Level, page: list[Row]) -> list[Row]:
    """The rows of a page of keys, in its order, each with the number that the key has."""
    statement = _rows_statement(level)
    if statement is None or not page:
        return []
    rows = {row[-1]: row[:-1] for row in statement.run((statements.array([key for key, _ in page]),))}
    return [(*rows[key], number) for key, number in page if key in rows]  # unless a row was deleted meanwhile


@lru_cache(maxsize=512)
def _rows_statement(level: Level) -> Statement | None:
    rows = statements.of(QuerySet(level.model).filter(pk__in=[statements.KEYS]), [*level.columns, "pk"])
    return statements.with_keys(rows, Slot(0)) if rows else None
