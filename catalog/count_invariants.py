"""The invariant of the kept counts of products, which `manage.py verify_ledger` checks (catalog/counts)."""

from django.db.models.query import RawQuerySet

from catalog.counts.queries import DIFFERENCES
from catalog.models import ProductCount
from commerce.kit.core.invariants import Invariant


def _wrong_counts() -> RawQuerySet[ProductCount]:
    """A row for each sales channel whose count is wrong; `number` is the number of products less the count."""
    return ProductCount.objects.raw(f"SELECT 0 AS id, wrong.* FROM ({DIFFERENCES}) AS wrong")  # noqa: S608 - names of our own


PRODUCT_COUNT_INVARIANTS = (
    Invariant(
        _wrong_counts,
        "The count of products in sales channel {sales_channel_id} differs from the products by {number}: "
        "run recount_products",
    ),
)
