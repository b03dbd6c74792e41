"""Creating, updating and deleting many stock levels: all or none."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog.stock.errors import TooManyStockChanges
from catalog.stock.stock_changes import MOST_CHANGES, StockChange, change_stock
from catalog.stock.stock_levels import add_levels, delete_levels
from kit.domain.actor import Actor
from kit.editing.batches import naming
from kit.editing.reporting import reported


@dataclass(frozen=True, slots=True)
class ChangedLevels:
    """The ids of levels, each in the order of its changes."""

    created: list[str]
    updated: list[str]


@transaction.atomic
@reported()
def change_levels(
    *,
    actor: Actor,
    create: Sequence[StockChange] = (),
    update: Sequence[StockChange] = (),
    delete: Sequence[str] = (),
    item_id: str | None = None,
    force: bool = False,
    note: str = "",
) -> ChangedLevels:
    """Create, update and delete levels, at most 1,000 in total. Raises what the verbs of each raise.

    delete: ids of levels; see delete_levels. An item, location or level that does not exist is InvalidData here, since
    only the body names it.
    """
    number = len(create) + len(update) + len(delete)
    if number > MOST_CHANGES:
        raise TooManyStockChanges(MOST_CHANGES, number)
    with naming("delete"):
        if delete:
            delete_levels(actor=actor, ids=delete, item_id=item_id, force=force, note=note)
    with naming("create"):
        created = add_levels(actor=actor, levels=create, note=note) if create else []
    with naming("update"):
        updated = change_stock(actor=actor, changes=update, note=note) if update else []
    return ChangedLevels(created, updated)
