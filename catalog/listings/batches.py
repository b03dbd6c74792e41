"""Statements that rebuilding runs for a batch of products."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from django.db import connection

from catalog.listings.counts.queries import PRODUCTS

BATCH = 1000
"""Products per transaction."""


def all_products() -> Iterator[list[str]]:
    """The ids of all products, in batches. A batch is read when the one before it has been processed."""
    last = ""
    while ids := select_ids(f"SELECT id FROM {PRODUCTS} WHERE id > %s ORDER BY id LIMIT {BATCH}", last):
        last = ids[-1]
        yield ids


def select_ids(query: str, *values: Any) -> list[str]:
    """The ids that the query selects."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return [key for (key,) in cursor.fetchall()]


def execute(statement: str, *values: Any) -> None:
    """Execute the statement with these parameters."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def lock_products(ids: Sequence[str]) -> None:
    """Lock these products: transactions that change them wait.

    Callers lock search entries afterwards, as writers do. In the other order, they could deadlock with a writer of
    several products.
    """
    if connection.vendor == "postgresql":
        execute(f"SELECT 1 FROM {PRODUCTS} WHERE id {in_array()} ORDER BY id FOR NO KEY UPDATE", array(ids))


def in_array() -> str:
    """The comparison of a column with a parameter that `array` makes."""
    return "= ANY(%s)" if connection.vendor == "postgresql" else "IN (SELECT value FROM json_each(%s))"


def array(ids: Sequence[str]) -> Any:
    """These ids as one parameter."""
    return list(ids) if connection.vendor == "postgresql" else orjson.dumps(list(ids)).decode()
