"""Creating stock levels: items that a location begins to stock."""

from collections.abc import Sequence

from django.db import transaction

from catalog.errors import InventoryItemNotFound
from catalog.models import InventoryItem, InventoryLevel
from catalog.states import MovementReason
from catalog.stock.stock_changes import StockChange, check_changes
from catalog.stock.stock_movements import Move, record_movements
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report, reported
from kit.values.timestamps import now
from kit.writes import raw_rows
from shop.errors import StockLocationNotFound
from shop.models import StockLocation


@transaction.atomic
@reported()
def add_levels(*, actor: Actor, levels: Sequence[StockChange], note: str = "") -> list[str]:
    """Create all levels, or none. Quantities that are not given are 0. Returns the ids.

    Raises InvalidData, InventoryItemNotFound, StockLocationNotFound, Forbidden; a level that exists is a Duplicate.
    Four statements for any number of levels.
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
    moment = now()
    made = [
        InventoryLevel(
            inventory_item_id=level.inventory_item_id,
            location_id=level.location_id,
            incoming_quantity=level.incoming_quantity or 0,
            created_at=moment,
            updated_at=moment,
        )
        for level in levels
    ]
    columns = [field.attname for field in InventoryLevel._meta.concrete_fields]
    raw_rows.insert(InventoryLevel, [{name: getattr(row, name) for name in columns} for row in made])
    report(InventoryLevel, Change.CREATED, made)
    moves = [Move(row, level.stocked_quantity or 0) for row, level in zip(made, levels, strict=True)]
    record_movements(moves, actor=actor, reason=MovementReason.SET, note=note)
    return [row.pk for row in made]
