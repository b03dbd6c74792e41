"""Creating and updating many stock levels: all or none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from catalog.errors import TooManyStockChanges
from catalog.stock.stock_changes import MOST_CHANGES, StockChange, change_stock
from catalog.stock.stock_levels import add_levels
from kit.domain.actor import Actor
from kit.domain.missing_row import given_by
from kit.editing.reporting import reported
from kit.errors import InvalidData, NotFound


@dataclass(frozen=True, slots=True)
class ChangedLevels:
    """The ids of levels, each in the order of its changes."""

    created: list[str]
    updated: list[str]


@transaction.atomic
@reported()
def change_levels(
    *, actor: Actor, create: Sequence[StockChange] = (), update: Sequence[StockChange] = (), note: str = ""
) -> ChangedLevels:
    """Create levels and update others, at most 1,000 in total. Raises what add_levels and change_stock raise.

    An item, location or level that does not exist is InvalidData here, since only the body names it.
    """
    number = len(create) + len(update)
    if number > MOST_CHANGES:
        raise TooManyStockChanges(MOST_CHANGES, number)
    with _naming("create"):
        created = add_levels(actor=actor, levels=create, note=note) if create else []
    with _naming("update"):
        updated = change_stock(actor=actor, changes=update, note=note) if update else []
    return ChangedLevels(created, updated)


@contextmanager
def _naming(field: str) -> Iterator[None]:
    try:
        yield
    except NotFound as error:
        raise InvalidData(given_by(error.message, field)) from error
