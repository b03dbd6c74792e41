"""Rebuilding the search entries of orders, after rows were written by other programs or the rules have changed."""

from collections.abc import Iterator

from django.db import transaction

from orders.common.search.entries import refresh_entries
from orders.models import Order

BATCH = 1000
"""Orders per transaction."""


def rebuild() -> Iterator[int]:
    """Rebuild the entries of all orders. Yields the size of each batch.

    The shop may stay open: each batch is a transaction that locks its orders.
    """
    last = ""
    while keys := list(Order.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        last = keys[-1]
        with transaction.atomic():
            list(Order.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True).values_list("pk"))
            refresh_entries(keys)
        yield len(keys)
