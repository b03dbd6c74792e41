"""The invariant of the lowest prices of products (catalog/prices/lowest_prices), for `manage.py verify_ledger`."""

from django.db.models.query import RawQuerySet

from catalog.models import Product
from catalog.prices.lowest_prices.queries import DIFFERENCES
from kit.domain.invariants import Invariant


def _wrong_rows() -> RawQuerySet[Product]:
    """The products with rows that are missing, left over or different, but none whose prices are marked as stale."""
    return Product.objects.raw(DIFFERENCES)


LOWEST_PRICE_INVARIANTS = (
    Invariant(_wrong_rows, "The lowest prices of product {id} differ from its prices: run rebuild_search"),
)
