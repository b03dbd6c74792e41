"""Stock for the bench."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from django.db import connection

from catalog.models import InventoryLevel
from catalog.states import MovementReason
from catalog.stock import stock_triggers
from catalog.stock.stock_movements import Move, record_movements
from kit.domain.actor import SYSTEM

AT_ONCE = 1000


@contextmanager
def stock_as_it_is_written() -> Iterator[None]:
    """Levels are filled with the sums of their movements and reservations, which no trigger adds up again."""
    with connection.schema_editor() as editor:
        stock_triggers.remove(editor)
    yield
    with connection.schema_editor() as editor:
        stock_triggers.install(editor)


def stock_up(quantity: int) -> None:
    """That many pieces of everything at every location."""
    levels = InventoryLevel.objects.order_by("pk").iterator()
    while some := list(islice(levels, AT_ONCE)):
        record_movements([Move(level, quantity) for level in some], actor=SYSTEM, reason=MovementReason.SET)
