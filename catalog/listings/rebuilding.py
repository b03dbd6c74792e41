"""Rebuilds the listing, for products written before the triggers existed or while they were disabled."""

from collections.abc import Iterator, Sequence

from django.db import connection, transaction

from catalog.listings.batches import BATCH, all_products, array, execute, in_array, lock_products, select_ids
from catalog.listings.queries import TABLE, delete, expected_rows, hidden_links, upsert
from catalog.listings.triggers import FUNCTION

_RIGHT = (
    f"SELECT 1 FROM ({expected_rows()}) AS expected "
    "WHERE expected.sales_channel_id = row.sales_channel_id AND expected.id = row.id"
)
_WRONG = f"FROM {TABLE} AS row WHERE NOT EXISTS ({_RIGHT})"


def rebuild() -> Iterator[int]:
    """Rebuild all rows, and yield the number of products of each batch.

    A batch is a transaction that locks its products, so the shop may stay open.
    """
    for ids in all_products():
        with transaction.atomic():
            _rebuild(ids)
        yield len(ids)
    while ids := select_ids(f"SELECT DISTINCT row.id {_WRONG} LIMIT {BATCH}"):
        with transaction.atomic():
            _rebuild(ids)
            execute(delete(f"SELECT row.sales_channel_id, row.id {_WRONG} AND row.id {in_array()}"), array(ids))


def _rebuild(ids: Sequence[str]) -> None:
    """List these products, and lock them: other transactions that change them or their links wait."""
    lock_products(ids)
    if connection.vendor == "postgresql":
        execute(f"SELECT {FUNCTION}(%s)", list(ids))
    else:
        which = f"link.product_id {in_array()}"
        execute(delete(hidden_links(which)), array(ids))
        execute(upsert(expected_rows(which)), array(ids))
