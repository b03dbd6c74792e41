"""The kinds of exports."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from kit.domain.actor import Actor
from orders.reports.export import line_rows, order_rows
from orders.reports.export.choice import Choice
from orders.reports.export.columns import Column


class Kind(NamedTuple):
    """What the rows of an export are: which the actor may see, and how they are read in batches of cells."""

    columns: Sequence[Column]
    rows: Callable[[Actor, Choice], QuerySet[Any]]
    read: Callable[[QuerySet[Any]], Iterator[list[list[str]]]]


ORDERS = Kind(order_rows.COLUMNS, order_rows.rows, order_rows.read)
LINES = Kind(line_rows.COLUMNS, line_rows.rows, line_rows.read)
