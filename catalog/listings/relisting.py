"""Listing products again: those that were there before the triggers, or were written with triggers switched off."""

from collections.abc import Sequence
from typing import Any

import orjson
from django.db import connection, transaction

from catalog.counts.queries import PRODUCTS
from catalog.listings.queries import TABLE, fresh, hidden, put, take
from catalog.listings.triggers import LIST

BATCH = 1000
"""Products per transaction."""

_NEXT = f"SELECT id FROM {PRODUCTS} WHERE id > %s ORDER BY id LIMIT {BATCH}"
_LOCK = f"SELECT 1 FROM {PRODUCTS} WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
_RIGHT = f"SELECT 1 FROM ({fresh()}) AS fresh WHERE fresh.sales_channel_id = row.sales_channel_id AND fresh.id = row.id"
_STALE = f"FROM {TABLE} AS row WHERE NOT EXISTS ({_RIGHT})"


def relist() -> None:
    """Make all rows right. Each batch is a transaction that locks its products, so that the shop may stay open."""
    last = ""
    while ids := _ids(_NEXT, last):
        last = ids[-1]
        with transaction.atomic():
            _list(ids)
    while ids := _ids(f"SELECT DISTINCT row.id {_STALE} LIMIT {BATCH}"):
        with transaction.atomic():
            _list(ids)
            _run(take(f"SELECT row.sales_channel_id, row.id {_STALE} AND row.id {_among()}"), _array(ids))


def _list(ids: Sequence[str]) -> None:
    """List these products, and lock them: other transactions that change them or their links wait."""
    if connection.vendor == "postgresql":
        _run(_LOCK, list(ids))
        _run(f"SELECT {LIST}(%s)", list(ids))
    else:
        which = f"link.product_id {_among()}"
        _run(take(hidden(which)), _array(ids))
        _run(put(fresh(which)), _array(ids))


def _among() -> str:
    return "= ANY(%s)" if connection.vendor == "postgresql" else "IN (SELECT value FROM json_each(%s))"


def _array(ids: Sequence[str]) -> Any:
    return list(ids) if connection.vendor == "postgresql" else orjson.dumps(list(ids)).decode()


def _ids(query: str, *values: Any) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return [key for (key,) in cursor.fetchall()]


def _run(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
