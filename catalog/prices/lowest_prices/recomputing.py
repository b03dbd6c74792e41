"""Computes the lowest prices of products again, where prices have changed."""

from collections.abc import Collection, Iterator, Mapping

import orjson
from django.db import connection

from catalog.models import Price, Product, ProductVariant, StalePrice
from catalog.prices.lowest_prices.queries import TABLE, expected_rows, insert
from catalog.prices.lowest_prices.triggers import PRICE, PRICE_SET, PRODUCT
from kit.derived.stale_batches import StaleBatches


def recompute() -> int:
    """Process all marks; returns how many."""
    return sum(_BATCHES.all())


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
    yield from _BATCHES.all()


def _compute(keys: Mapping[str, set[str]]) -> None:
    _store(sorted(_products(keys)))


LOCK = "catalog.lowest_prices"
_BATCHES = StaleBatches(StalePrice, LOCK, _compute)


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
