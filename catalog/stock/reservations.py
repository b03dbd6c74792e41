"""Reservations: made by hand, moved, and ended. Those of lines are made by catalog/stock/stock_claims.py.

Triggers keep each level's reserved_quantity equal to the sum of its reservations (catalog/stock/stock_triggers). Verbs
lock the levels first, so that the quantities they compare cannot change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from catalog.models import InventoryLevel, Reservation
from catalog.stock.errors import InventoryLevelNotFound, NotEnoughStock, ReservedForLine
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.missing_row import given_by, missing
from kit.editing.locked_rows import require_deletion
from kit.editing.reporting import Change, report
from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData, NotFound
from kit.values.text import is_storable
from kit.values.timestamps import now
from kit.writes import raw_rows

Place = tuple[str, str]
"""The ids of an inventory item and a stock location, which identify a level."""


def end(reservations: QuerySet[Reservation]) -> set[str]:
    """End the reservations that have not ended yet, and return their ids. Callers hold a transaction.

    Three statements.
    """
    own = reservations.filter(deleted_at=None, inventory_item=OuterRef("inventory_item"), location=OuterRef("location"))
    report(InventoryLevel, Change.UPDATED, lock_rows(InventoryLevel.objects.filter(Exists(own))))
    standing = lock_rows(reservations.filter(deleted_at=None))
    moment = now()
    raw_rows.update(Reservation, [{"id": each.pk, "deleted_at": moment, "updated_at": moment} for each in standing])
    return {each.pk for each in standing}


def sellable_levels() -> QuerySet[InventoryLevel]:
    """Levels of items and locations that are not deleted. Older reservations of deleted ones can still be released."""
    levels: QuerySet[InventoryLevel] = InventoryLevel.objects.not_deleted()
    return levels.filter(inventory_item__deleted_at=None, location__deleted_at=None)


def _lock(states: Sequence[Any]) -> None:
    """The levels that the reservations are at, and those that they go to."""
    stored = Reservation.objects.filter(pk__in=_storable(state.id for state in states))
    places = [*stored.values_list("inventory_item_id", "location_id")] if any(state.id for state in states) else []
    _locked([*places, *((state.inventory_item_id, state.location_id) for state in states)])


def _check(edits: RowEdits[Reservation], states: Sequence[Any]) -> None:
    """Refuse what exceeds the stock, and new quantities of lines.

    Why: docs/decisions/catalogue.md#reservations-of-lines-follow-their-order.
    """
    quantities, locations = edits.replaced("quantity"), edits.replaced("location_id")
    before = [(row.inventory_item_id, locations.get(row.pk, row.location_id)) for row in edits.rows]
    after = [(row.inventory_item_id, row.location_id) for row in edits.rows]
    levels = _locked([*before, *after])
    for index, row in enumerate(edits.rows):
        held = 0 if states[index].id is None else quantities.get(row.pk, row.quantity)
        if row.line_item_id is not None and row.quantity != held:
            edits.refuse(index, "quantity" if held else "line_item_id", ReservedForLine(row.line_item_id))
        elif row.quantity < 1:
            edits.refuse(index, "quantity", InvalidData("Value for field 'quantity' too small, expected at least: '1'"))
        if edits.is_refused(index) or (after[index] == before[index] and row.quantity == held):
            continue
        if before[index] in levels:
            levels[before[index]].reserved_quantity -= held
        level = levels.get(after[index])
        if level is None:
            error = InventoryLevelNotFound(*after[index])
            edits.refuse(index, "location_id", InvalidData(given_by(error.message, "location_id")))
            continue
        grows = after[index] != before[index] or row.quantity > held
        if grows and not row.allow_backorder and row.quantity > level.stocked_quantity - level.reserved_quantity:
            edits.refuse(index, "quantity", NotEnoughStock(row.inventory_item_id))
        level.reserved_quantity += row.quantity
        report(InventoryLevel, Change.UPDATED, [level, levels.get(before[index], level)])


def _delete(model: type[Reservation], ids: Sequence[str], *, actor: Actor) -> None:
    """End the reservations, all or none. Raises NotFound (also for one that has ended), ReservedForLine, Forbidden."""
    require_deletion(actor, model)
    rows = model.objects.not_deleted().filter(pk__in=_storable(ids))
    for line_id in rows.exclude(line_item_id=None).values_list("line_item_id", flat=True)[:1]:
        raise ReservedForLine(str(line_id))
    unknown = sorted({*ids} - end(rows))
    if unknown:
        raise NotFound(missing("Reservation", *unknown))


def _locked(places: Sequence[Place]) -> Mapping[Place, InventoryLevel]:
    """The levels at these places, locked, and others of the same items at the same locations."""
    items, locations = (_storable(place[side] for place in places) for side in (0, 1))
    rows = lock_rows(sellable_levels().filter(inventory_item__in=items, location__in=locations)) if items else ()
    return {(level.inventory_item_id, level.location_id): level for level in rows}


def _storable(ids: Iterable[object]) -> set[str]:
    return {key for key in ids if isinstance(key, str) and is_storable(key)}


VERBS = RowVerbs(
    Reservation,
    ("inventory_item_id", "location_id", "quantity", "line_item_id", "description", "metadata"),
    lock=_lock,
    check=_check,
    delete=_delete,
)
"""Made by hand, without a line. Of one for a line, location, description and metadata can be changed."""
