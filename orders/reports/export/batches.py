"""Rows in batches, each read from where the one before it ended: no more than one is in memory."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Q, QuerySet

BATCH = 500
"""Rows of a batch."""


def batches(rows: QuerySet[Any], *, key: Sequence[str], columns: Sequence[str]) -> Iterator[list[Any]]:
    """Named tuples of the columns, by a key that is unique and among them. One statement a batch."""
    page = rows.order_by(*key).values_list(*columns, named=True)
    found = list(page[:BATCH])
    while found:
        yield found
        last = [getattr(found[-1], name) for name in key]
        found = list(page.filter(_after(key, last))[:BATCH]) if len(found) == BATCH else []


def _after(key: Sequence[str], values: Sequence[object]) -> Q:
    """The rows behind that key. Its first column stands alone, too, so that an index on it finds the place."""
    name, value = key[0], values[0]
    if len(key) == 1:
        return Q(**{f"{name}__gt": value})
    return Q(**{f"{name}__gte": value}) & (Q(**{f"{name}__gt": value}) | _after(key[1:], values[1:]))
