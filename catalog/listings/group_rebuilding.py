"""Rebuilds the listings of tags and categories, for links written before their triggers existed or while disabled."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection, transaction

from catalog.counts.queries import PRODUCTS
from catalog.listings.groups import GROUPS
from catalog.listings.rebuilding import BATCH, among, array, ids_of, run

_NEXT = f"SELECT id FROM {PRODUCTS} WHERE id > %s ORDER BY id LIMIT {BATCH}"


def rebuild() -> Iterator[int]:
    """Rebuild all rows, and yield the number of products of each batch, which is a transaction."""
    last = ""
    while ids := ids_of(_NEXT, last):
        last = ids[-1]
        with transaction.atomic():
            _hold(ids)
            for group in GROUPS:
                run(group.insert(group.expected_rows(f"product.id {among()}")), array(ids))
        yield len(ids)
    for group in GROUPS:
        while ids := ids_of(f"SELECT DISTINCT id FROM ({group.wrong_rows}) AS wrong LIMIT {BATCH}"):
            with transaction.atomic():
                _hold(ids)
                wrong = f"SELECT * FROM ({group.wrong_rows}) AS wrong WHERE id {among()}"
                run(group.delete(wrong), array(ids))
            yield len(ids)


def _hold(ids: Sequence[str]) -> None:
    """Transactions that change these products or their links wait."""
    if connection.vendor == "postgresql":
        held: list[Any] = list(ids)
        run(
            "SELECT 1 FROM catalog_productsearch WHERE product_id = ANY(%s) ORDER BY product_id FOR NO KEY UPDATE", held
        )
