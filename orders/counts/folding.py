"""Folding the counts of orders, so that a count stays the sum of a few rows."""

from collections import Counter

from django.db import transaction

from orders.models import OrderCount

BATCH = 5000
"""Rows per transaction."""
_COMBINATION = (
    "status",
    "payment_status",
    "fulfillment_status",
    "region_id",
    "sales_channel_id",
    "currency_id",
    "customer_id",
)


def fold() -> int:
    """Replace the rows of each combination by their sum; returns how many rows this saved.

    Orders can be written meanwhile: the rows that they append are folded the next time.
    """
    fewer, after = 0, 0
    last = OrderCount.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    while after < last:
        after, folded = _fold_batch(after, last)
        fewer += folded
    return fewer


@transaction.atomic
def _fold_batch(after: int, last: int) -> tuple[int, int]:
    """The id of the batch's last row, and how many rows were saved."""
    rows = OrderCount.objects.filter(pk__gt=after, pk__lte=last).order_by("pk").select_for_update()
    batch = list(rows.values_list("pk", "number", *_COMBINATION)[:BATCH])
    sums: Counter[tuple[str | None, ...]] = Counter()
    for _, number, *combination in batch:
        sums[tuple(combination)] += number
    counts = [
        OrderCount(number=number, **dict(zip(_COMBINATION, combination, strict=True)))
        for combination, number in sums.items()
        if number
    ]
    fewer = len(batch) - len(counts)
    if fewer:
        OrderCount.objects.filter(pk__in=[pk for pk, *_ in batch]).delete()
        OrderCount.objects.bulk_create(counts)
    return (batch[-1][0] if batch else last), fewer
