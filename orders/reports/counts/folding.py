"""Folding the counts of orders, so that a count stays the sum of a few rows."""

from kit.derived import count_folding
from orders.models import OrderCount, OrderRangeCount


def fold() -> int:
    """Replace the rows of each combination and of each range by their sum; returns how many rows this saved."""
    return count_folding.fold(OrderCount) + count_folding.fold(OrderRangeCount)
