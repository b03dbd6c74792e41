"""Rebuilding the search entries of orders, after rows were written by other programs or the rules have changed."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from orders.models import Order
from orders.search.entries import SEARCHED, refresh_entries

BATCH = 1000
"""Orders per transaction."""
_FOLDED = r"[^ -~]|['`]|(^|\s)[A-Za-z]-[A-Za-z]"
"""Letters that are not ASCII, apostrophes, and a letter before a hyphen."""


def with_folded_texts() -> QuerySet[Order]:
    """The orders with texts that the rules of folding concern."""
    texts = Q(*(Q(**{f"{path}__regex": _FOLDED}) for path in SEARCHED if path != "display_id"), _connector=Q.OR)
    return Order.objects.filter(Exists(Order.objects.filter(texts, pk=OuterRef("pk"))))


def rebuild(orders: QuerySet[Order] | None = None) -> Iterator[int]:
    """Rebuild the entries of these orders, by default of all. Yields the size of each batch.

    The shop may stay open: each batch is a transaction that locks its orders.
    """
    last, rows = "", Order.objects.all() if orders is None else orders
    while keys := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        last = keys[-1]
        with transaction.atomic():
            list(Order.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True).values_list("pk"))
            refresh_entries(keys)
        yield len(keys)
