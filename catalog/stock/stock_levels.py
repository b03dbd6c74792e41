"""Creating and deleting stock levels: items that a location begins and ceases to stock.

Why: docs/decisions/catalogue.md#a-deleted-level-keeps-its-history.
"""

from collections.abc import Sequence

from django.db import transaction

from catalog.models import InventoryItem, InventoryLevel
from catalog.states import MovementReason
from catalog.stock.errors import InventoryItemNotFound, InventoryLevelNotFound, LevelInUse
from catalog.stock.stock_changes import StockChange, check_changes, save_incoming
from catalog.stock.stock_movements import Move, bring_back, record_movements
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.locked_rows import locked, require_deletion
from kit.editing.reporting import Change, report, reported
from kit.values.timestamps import now
from kit.writes import raw_rows
from shop.errors import StockLocationNotFound
from shop.models import StockLocation


@transaction.atomic
@reported()
def add_levels(*, actor: Actor, levels: Sequence[StockChange], note: str = "") -> list[str]:
    """Create all levels, or none; deleted ones come back. Quantities that are not given are 0. Returns the ids.

    Raises InvalidData, InventoryItemNotFound, StockLocationNotFound, Forbidden; a level that exists is a Duplicate.
    At most seven statements for any number of levels.
    """
    actor.require("catalog.add_inventorylevel")
    check_changes(levels)
    items, locations = ({level.place[side] for level in levels} for side in (0, 1))
    unknown_items = items - set(InventoryItem.objects.not_deleted().filter(pk__in=items).values_list("pk", flat=True))
    if unknown_items:
        raise InventoryItemNotFound(min(unknown_items))
    known = StockLocation.objects.not_deleted().filter(pk__in=locations).values_list("pk", flat=True)
    unknown_locations = locations - set(known)
    if unknown_locations:
        raise StockLocationNotFound(min(unknown_locations))
    at_places = InventoryLevel.objects.filter(inventory_item__in=items, location__in=locations)
    deleted = {(row.inventory_item_id, row.location_id): row for row in lock_rows(at_places.exclude(deleted_at=None))}
    moment = now()
    new = [
        InventoryLevel(
            inventory_item_id=level.inventory_item_id,
            location_id=level.location_id,
            incoming_quantity=level.incoming_quantity or 0,
            created_at=moment,
            updated_at=moment,
        )
        for level in levels
        if level.place not in deleted
    ]
    columns = [field.attname for field in InventoryLevel._meta.concrete_fields]
    raw_rows.insert(InventoryLevel, [{name: getattr(row, name) for name in columns} for row in new])
    report(InventoryLevel, Change.CREATED, new)
    by_place = deleted | {(row.inventory_item_id, row.location_id): row for row in new}
    rows = [by_place[level.place] for level in levels]
    bring_back(rows)
    save_incoming({deleted[level.place]: level.incoming_quantity for level in levels if level.place in deleted})
    moves = [Move(row, level.stocked_quantity or 0) for row, level in zip(rows, levels, strict=True)]
    record_movements(moves, actor=actor, reason=MovementReason.SET, note=note)
    return [row.pk for row in rows]


@transaction.atomic
@reported()
def delete_levels(
    *, actor: Actor, ids: Sequence[str], item_id: str | None = None, force: bool = False, note: str = ""
) -> list[InventoryLevel]:
    """Delete all levels, or none. Returns them. item_id: the item that they must be of.

    force: whether what is stocked and incoming there is written off, which is otherwise refused.
    Raises NotFound, LevelInUse, Forbidden. Three statements.
    """
    require_deletion(actor, InventoryLevel)
    levels = locked(InventoryLevel, ids)
    for level in levels.values():
        if item_id not in (None, level.inventory_item_id):
            raise InventoryLevelNotFound(str(item_id), level.location_id)
        for what, quantity in (
            ("reserved", level.reserved_quantity),
            ("stocked", 0 if force else level.stocked_quantity),
            ("incoming", 0 if force else level.incoming_quantity),
        ):
            if quantity:
                raise LevelInUse(level, what, quantity)
    record_movements([Move(level, 0) for level in levels.values()], actor=actor, reason=MovementReason.SET, note=note)
    moment = now()
    changes: dict[str, object] = {"incoming_quantity": 0, "deleted_at": moment, "updated_at": moment}
    raw_rows.update(InventoryLevel, [{"id": key, **changes} for key in levels])
    report(InventoryLevel, Change.DELETED, levels.values())
    return [*levels.values()]


def delete_level(*, actor: Actor, inventory_item_id: str, location_id: str) -> str:
    """Delete the level of the item at the location. Returns its id. Raises what delete_levels raises."""
    places = InventoryLevel.objects.not_deleted().filter(location=location_id)
    level_id = places.filter(inventory_item=inventory_item_id).values_list("pk", flat=True).first()
    if level_id is None:
        raise InventoryLevelNotFound(inventory_item_id, location_id)
    delete_levels(actor=actor, ids=[level_id])
    return str(level_id)
