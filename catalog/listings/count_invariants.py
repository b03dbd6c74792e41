"""The invariant of the kept counts of products, which `manage.py verify_ledger` checks (catalog/listings/counts)."""

from django.db.models.query import RawQuerySet

from catalog.listings.counts.queries import DIFFERENCES
from catalog.models import ProductCount
from kit.domain.invariants import Invariant


def _wrong_counts() -> RawQuerySet[ProductCount]:
    """A row for each sales channel whose count is wrong; `number` is the number of products less the count."""
    return ProductCount.objects.raw(f"SELECT 0 AS id, wrong.* FROM ({DIFFERENCES}) AS wrong")


PRODUCT_COUNT_INVARIANTS = (
    Invariant(
        _wrong_counts,
        "The count of products in sales channel {sales_channel_id} differs from the products by {number}: "
        "run recount_products",
    ),
)
