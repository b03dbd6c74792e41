"""A rule about stored rows, with a query for those that violate it."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Model, QuerySet
from django.db.models.query import RawQuerySet


@dataclass(frozen=True)
class Invariant:
    """violations: the rows that violate it. message: about one row, formatted with its columns."""

    violations: Callable[[], QuerySet[Model, object] | RawQuerySet[Model]]
    message: str
