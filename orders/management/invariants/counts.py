"""The invariants of the kept counts, which `manage.py verify_ledger` checks."""

from django.db import connection
from django.db.models.query import RawQuerySet

from kit.domain.invariants import Invariant
from orders.models import OrderCount, OrderRangeCount
from orders.reports.counts.tallies import Combinations, RangesOfValues


def _wrong_counts() -> RawQuerySet[OrderCount]:
    """A row for each combination whose count is wrong; `number` is the number of orders less the count."""
    tally = Combinations(connection.vendor)
    return OrderCount.objects.raw(f"SELECT 0 AS id, wrong.* FROM ({tally.differences}) AS wrong")  # noqa: S608 - names of our own


def _wrong_range_counts() -> RawQuerySet[OrderRangeCount]:
    """The same for each range, and for those with orders whose numbers are not between `first` and `last`."""
    tally = RangesOfValues(connection.vendor)
    names = " ".join(f"WHEN {column} IS NOT NULL THEN '{column}'" for column in tally.counted)
    starts = ", ".join(f"CAST({column} AS text)" for column in tally.counted)
    return OrderRangeCount.objects.raw(
        f"SELECT 0 AS id, wrong.*, CASE {names} END AS name, COALESCE({starts}) AS start "  # noqa: S608 - names of our own
        f"FROM ({tally.differences}) AS wrong"
    )


COUNT_INVARIANTS = (
    Invariant(
        _wrong_counts,
        "The count of orders ({status}, {payment_status}, {fulfillment_status}) in region {region_id} and sales "
        "channel {sales_channel_id} differs from the orders by {number}: run recount_orders",
    ),
    Invariant(
        _wrong_range_counts,
        "The count of orders by {name} from {start} on, or their first or last number, is wrong: run recount_orders",
    ),
)
