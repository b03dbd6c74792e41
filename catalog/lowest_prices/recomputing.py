"""Computes the lowest prices of products again, where prices have changed."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

import orjson
from django.db import connection, transaction

from catalog.lowest_prices.queries import TABLE, expected_rows, insert
from catalog.lowest_prices.triggers import PRICE, PRICE_SET, PRODUCT
from catalog.models import Price, Product, ProductVariant, StalePrice
from commerce.kit.core.locking import lock_named, retry_on_conflict

BATCH = 1000
"""Marks per transaction."""


def recompute() -> int:
    """Process all marks; returns how many."""
    return sum(_batches())


def recompute_all() -> Iterator[int]:
    """Compute the lowest prices of every product again; yields how many marks each batch processed.

    Needed only after rows were written with triggers disabled.
    """
    with connection.cursor() as cursor:  # products that no longer exist have rows, too
        cursor.execute(
            f"INSERT INTO {StalePrice._meta.db_table} (kind, key) "
            f"SELECT %s, id FROM {Product._meta.db_table} UNION SELECT %s, product_id FROM {TABLE}",
            [PRODUCT, PRODUCT],
        )
    yield from _batches()


def _batches() -> Iterator[int]:
    while batch := retry_on_conflict(_recompute_batch):
        yield batch


@transaction.atomic
def _recompute_batch() -> int:
    """Process up to BATCH marks; returns how many. A concurrent call waits, since other marks may be of a same product.

    The products are read after the marks, and their prices after that: each change that made a mark is visible.
    """
    lock_named("catalog.lowest_prices")
    batch = list(StalePrice.objects.order_by("pk")[:BATCH])
    if batch:
        keys: dict[str, set[str]] = defaultdict(set)
        for each in batch:
            keys[each.kind].add(each.key)
        _store(sorted(_products(keys)))
        StalePrice.objects.filter(pk__in=[each.pk for each in batch]).delete()
    return len(batch)


def _products(keys: Mapping[str, Collection[str]]) -> set[str]:
    """The products that these price sets, prices and products concern."""
    changed = Price.objects.filter(pk__in=keys[PRICE]).values_list("price_set_id", flat=True)
    variants = ProductVariant.objects.filter(price_set__in={*keys[PRICE_SET], *changed})
    return {*keys[PRODUCT], *variants.values_list("product_id", flat=True)}


def _store(products: Collection[str]) -> None:
    is_postgresql = connection.vendor == "postgresql"
    among = "= ANY(%s)" if is_postgresql else "IN (SELECT value FROM json_each(%s))"
    values = [list(products) if is_postgresql else orjson.dumps(products).decode()]
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE} WHERE product_id {among}", values)
        cursor.execute(insert(expected_rows(f"variant.product_id {among}")), values)
