"""Counters: tables with one row that holds the last number."""

from functools import cache

from django.db import models

from kit.database.raw_sql import fetch
from kit.database.sql_names import table


def next_number(counter: type[models.Model], *, first: int = 1) -> int:
    """The next number. It locks all other takers out until the transaction ends; a rollback gives the number back.

    counter: has the columns `id`, of which only 1 exists, and `last`. One statement.
    """
    ((number,),) = fetch(_statement(counter), [first])
    return int(number)


@cache
def _statement(counter: type[models.Model]) -> str:
    numbers = table(counter)
    return (
        f"INSERT INTO {numbers} (id, last) VALUES (1, %s) "  # noqa: S608 - a name of our own
        f"ON CONFLICT (id) DO UPDATE SET last = {numbers}.last + 1 RETURNING last"
    )
