"""Conditions on rows that several queries find."""

from typing import Any

from django.db.models import Q, QuerySet


def in_any(*keys: "QuerySet[Any, Any]") -> Q:
    """Rows whose primary key is among any of these. A union, since an OR across tables cannot use indexes."""
    first, *others = keys
    return Q(pk__in=first.order_by().union(*(each.order_by() for each in others)))
