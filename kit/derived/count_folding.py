"""Folding kept counts (kit/derived/kept_counts.py), so that a count stays the sum of a few rows."""

from collections.abc import Sequence
from typing import TypeVar

from django.db import transaction

from kit.derived.kept_counts import KeptCounts

BATCH = 5000
"""Rows per transaction."""


Counts = TypeVar("Counts", bound=KeptCounts)


def fold(*models: type[KeptCounts]) -> int:
    """Replace the rows of each combination by their sum, in each of the tables; returns how many rows this saved.

    What is counted can be written meanwhile: the rows that writers append are folded the next time.
    """
    return sum(map(_fold, models))


def _fold(model: type[KeptCounts]) -> int:
    fewer, after = 0, 0
    last = model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0
    while after < last:
        after, folded = _fold_batch(model, after, last)
        fewer += folded
    return fewer


@transaction.atomic
def _fold_batch(model: type[Counts], after: int, last: int) -> tuple[int, int]:
    """The id of the batch's last row, and how many rows were saved."""
    rows = model._default_manager
    batch = list(rows.filter(pk__gt=after, pk__lte=last).order_by("pk").select_for_update()[:BATCH])
    keys = [row.pk for row in batch]
    sums = _sums(batch)
    fewer = len(batch) - len(sums)
    if fewer:
        rows.filter(pk__in=keys).delete()
        rows.bulk_create(sums)
    return (keys[-1] if keys else last), fewer


def _sums(rows: Sequence[Counts]) -> list[Counts]:
    """New rows, one for each combination."""
    sums: dict[tuple[object, ...], Counts] = {}
    for row in rows:
        combination = row.combination()
        if combination in sums:
            sums[combination].add(row)
        else:
            row.pk = None
            sums[combination] = row
    return [row for row in sums.values() if not row.is_empty]
