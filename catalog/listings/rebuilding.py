"""Rebuilds the listing, for products written before the triggers existed or while they were disabled."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from django.db import connection, transaction

from catalog.counts.queries import PRODUCTS
from catalog.listings.queries import TABLE, delete, expected_rows, hidden_links, upsert
from catalog.listings.triggers import FUNCTION

BATCH = 1000
"""Products per transaction."""

_NEXT = f"SELECT id FROM {PRODUCTS} WHERE id > %s ORDER BY id LIMIT {BATCH}"
_LOCK = f"SELECT 1 FROM {PRODUCTS} WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
_RIGHT = (
    f"SELECT 1 FROM ({expected_rows()}) AS expected "
    "WHERE expected.sales_channel_id = row.sales_channel_id AND expected.id = row.id"
)
_STALE = f"FROM {TABLE} AS row WHERE NOT EXISTS ({_RIGHT})"


def rebuild() -> Iterator[int]:
    """Rebuild all rows, and yield the number of products of each batch.

    A batch is a transaction that locks its products, so the shop may stay open.
    """
    last = ""
    while ids := ids_of(_NEXT, last):
        last = ids[-1]
        with transaction.atomic():
            _rebuild(ids)
        yield len(ids)
    while ids := ids_of(f"SELECT DISTINCT row.id {_STALE} LIMIT {BATCH}"):
        with transaction.atomic():
            _rebuild(ids)
            run(delete(f"SELECT row.sales_channel_id, row.id {_STALE} AND row.id {among()}"), array(ids))


def _rebuild(ids: Sequence[str]) -> None:
    """List these products, and lock them: other transactions that change them or their links wait."""
    if connection.vendor == "postgresql":
        run(_LOCK, list(ids))
        run(f"SELECT {FUNCTION}(%s)", list(ids))
    else:
        which = f"link.product_id {among()}"
        run(delete(hidden_links(which)), array(ids))
        run(upsert(expected_rows(which)), array(ids))


def among() -> str:
    """The comparison with `array`."""
    return "= ANY(%s)" if connection.vendor == "postgresql" else "IN (SELECT value FROM json_each(%s))"


def array(ids: Sequence[str]) -> Any:
    """These ids as one parameter."""
    return list(ids) if connection.vendor == "postgresql" else orjson.dumps(list(ids)).decode()


def ids_of(query: str, *values: Any) -> list[str]:
    """What the query selects."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return [key for (key,) in cursor.fetchall()]


def run(statement: str, *values: Any) -> None:
    """Run the statement."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
