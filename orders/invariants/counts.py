"""The invariant of the kept counts, which `manage.py verify_ledger` checks (orders/invariants/__init__.py)."""

from django.db.models.query import RawQuerySet

from commerce.kit.core.invariants import Invariant
from orders.counts.combinations import COLUMNS, COUNTS, EVERY_ORDER
from orders.models import OrderCount


def _differences() -> RawQuerySet[OrderCount]:
    """A row for each combination whose count is wrong; `number` is the number of orders less the count."""
    return OrderCount.objects.raw(
        f"SELECT 0 AS id, {COLUMNS}, sum(number) AS number "  # noqa: S608 - names of our own
        f"FROM ({EVERY_ORDER} UNION ALL SELECT {COLUMNS}, -number FROM {COUNTS}) AS compared "
        f"GROUP BY {COLUMNS} HAVING sum(number) <> 0"
    )


COUNT_INVARIANTS = (
    Invariant(
        _differences,
        "The count of orders ({status}, {payment_status}, {fulfillment_status}) in region {region_id} and sales "
        "channel {sales_channel_id} differs from the orders by {number}: run recount_orders",
    ),
)
