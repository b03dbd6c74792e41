"""Rebuilds the listings by tag and by category, for links written before their triggers existed or while disabled."""

from collections.abc import Iterator, Sequence

from django.db import connection, transaction

from catalog.listings.batches import BATCH, all_products, array, execute, in_array, lock_products, select_ids
from catalog.listings.group_queries import GROUP_LISTINGS
from catalog.listings.queries import entries_to_lock


def rebuild() -> Iterator[int]:
    """Rebuild all rows, and yield the number of products of each batch, which is a transaction."""
    for ids in all_products():
        with transaction.atomic():
            _lock(ids)
            for listing in GROUP_LISTINGS:
                execute(listing.insert(listing.expected_rows(f"product.id {in_array()}")), array(ids))
        yield len(ids)
    for listing in GROUP_LISTINGS:
        while ids := select_ids(f"SELECT DISTINCT id FROM ({listing.wrong_rows}) AS wrong LIMIT {BATCH}"):
            with transaction.atomic():
                _lock(ids)
                wrong = f"SELECT * FROM ({listing.wrong_rows}) AS wrong WHERE id {in_array()}"
                execute(listing.delete(wrong), array(ids))
            yield len(ids)


def _lock(ids: Sequence[str]) -> None:
    """Lock these products and their search entries: transactions that change the products or their links wait."""
    lock_products(ids)
    if connection.vendor == "postgresql":
        execute(f"SELECT {entries_to_lock(in_array())}", array(ids))
