"""Deducting reserved stock for a fulfillment, restoring it when the fulfillment is canceled, and restocking returns.

All work on any number of lines at one location with a constant number of statements. Callers hold a transaction and
the lock of the order; levels are locked in the order of their ids.
Why: docs/decisions/catalogue.md#a-fulfillment-is-deducted-and-restored-once.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from catalog.models import InventoryLevel, Reservation
from catalog.states import MovementReason
from catalog.stock.errors import InventoryLevelNotFound, ReservationTooSmall, StockBelowZero
from catalog.stock.stock_movements import Move, adjusted, bring_back, record_movements
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.reads.sql.locked_instances import locked_rows
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows

LineItem = tuple[str, str]
"""The ids of a line and of an inventory item that it requires."""


@dataclass(frozen=True, slots=True)
class StockQuantity:
    """Pieces of an inventory item for a line, 1 or more. A line of a kit has one for each of its items."""

    line_item_id: str
    inventory_item_id: str
    quantity: int


def deduct_reserved_stock(
    *, actor: Actor, location_id: str, quantities: Sequence[StockQuantity], fulfillment_id: str
) -> None:
    """Deduct the quantities from the location's stock and from the reservations of their lines there.

    Raises InventoryLevelNotFound, ReservationTooSmall, and StockBelowZero where a line that was not sold on backorder
    would take the stock below 0. Four statements. A second call for the same fulfillment and item is an IntegrityError.
    """
    wanted = _quantity_by_line_item(quantities)
    levels = lock_levels(location_id, {item_id for _, item_id in wanted})
    reserved = _reserved(location_id, wanted)
    deducted: dict[str, int] = defaultdict(int)
    backordered: dict[str, int] = defaultdict(int)
    rows = []
    for (line_id, item_id), quantity in wanted.items():
        of_line = reserved[line_id, item_id]
        rows += reduced(of_line, quantity)
        deducted[item_id] += quantity
        if of_line[0].allow_backorder:
            backordered[item_id] += quantity
    moves = [_deduction(levels[item_id], quantity, backordered[item_id]) for item_id, quantity in deducted.items()]
    raw_rows.update(Reservation, rows)
    record_movements(moves, actor=actor, reason=MovementReason.FULFILLMENT, reference_id=fulfillment_id)


def restore_reserved_stock(
    *, actor: Actor, location_id: str, quantities: Sequence[StockQuantity], fulfillment_id: str
) -> None:
    """Return the quantities of a canceled fulfillment to stock, reserved for their lines as before.

    Raises InventoryLevelNotFound. Four statements. A second call for the same fulfillment and item is an
    IntegrityError.
    """
    wanted = _quantity_by_line_item(quantities)
    levels = lock_levels(location_id, {item_id for _, item_id in wanted})
    allowing = Reservation.objects.filter(
        location=location_id, line_item_id__in={line_id for line_id, _ in wanted}, allow_backorder=True
    )
    on_backorder = set(allowing.values_list("line_item_id", "inventory_item_id"))
    returned: dict[str, int] = defaultdict(int)
    moment = now()
    rows = []
    for (line_id, item_id), quantity in wanted.items():
        returned[item_id] += quantity
        rows.append(
            {
                "id": new_id("resitem"),
                "inventory_item_id": item_id,
                "location_id": location_id,
                "quantity": quantity,
                "allow_backorder": (line_id, item_id) in on_backorder,
                "line_item_id": line_id,
                "description": "",
                "created_at": moment,
                "updated_at": moment,
                "deleted_at": None,
            }
        )
    bring_back(levels.values())
    moves = [Move(levels[item_id], levels[item_id].stocked_quantity + number) for item_id, number in returned.items()]
    record_movements(moves, actor=actor, reason=MovementReason.FULFILLMENT_CANCELED, reference_id=fulfillment_id)
    raw_rows.insert(Reservation, rows)


def restock(*, actor: Actor, location_id: str, quantities: Mapping[str, int], return_id: str) -> None:
    """Add the pieces to the location's stock. quantities: by inventory item. Callers hold a transaction.

    Raises InventoryLevelNotFound, InvalidData. Two statements.
    """
    levels = lock_levels(location_id, set(quantities))
    bring_back(levels.values())
    moves = [adjusted(levels[item_id], quantity) for item_id, quantity in quantities.items()]
    record_movements(moves, actor=actor, reason=MovementReason.RETURN, reference_id=return_id)


def lock_levels(location_id: str, item_ids: set[str]) -> Mapping[str, InventoryLevel]:
    """The levels of the items at the location by item, locked, also deleted ones and those of deleted items.

    Raises InventoryLevelNotFound.
    """
    levels = {level.inventory_item_id: level for level in _LEVELS.read(sorted(item_ids), location_id)}
    missing = item_ids - levels.keys()
    if missing:
        raise InventoryLevelNotFound(min(missing), location_id)
    return levels


def lock_levels_of_lines(line_item_ids: Sequence[str]) -> None:
    """Lock the levels at all locations where anything was ever reserved for the lines. One statement.

    For a caller that goes on to restore or release stock of several locations.
    """
    own = Reservation.objects.filter(
        line_item_id__in=line_item_ids, inventory_item=OuterRef("inventory_item"), location=OuterRef("location")
    )
    lock_rows(InventoryLevel.objects.filter(Exists(own)))


def _quantity_by_line_item(quantities: Sequence[StockQuantity]) -> Mapping[LineItem, int]:
    wanted: dict[LineItem, int] = defaultdict(int)
    for each in quantities:
        wanted[each.line_item_id, each.inventory_item_id] += each.quantity
    return wanted


def _reserved(location_id: str, wanted: Mapping[LineItem, int]) -> Mapping[LineItem, list[Reservation]]:
    """What is reserved at the location for the lines, the oldest first."""
    found: dict[LineItem, list[Reservation]] = {pair: [] for pair in wanted}
    for row in _RESERVATIONS.read(sorted({line_id for line_id, _ in wanted}), location_id):
        found.setdefault((row.line_item_id or "", row.inventory_item_id), []).append(row)
    for (line_id, item_id), quantity in wanted.items():
        reserved = sum(row.quantity for row in found[line_id, item_id])
        if reserved < quantity:
            raise ReservationTooSmall(item_id, location_id, reserved=reserved, wanted=quantity)
    return found


def reduced(reservations: Sequence[Reservation], quantity: int) -> list[raw_rows.RawRow]:
    """The reservations, reduced by the quantity from the first on. Those that become empty are deleted."""
    moment = now()
    rows: list[raw_rows.RawRow] = []
    for row in reservations:
        deducted = min(row.quantity, quantity)
        quantity -= deducted
        left = row.quantity - deducted
        if deducted:
            rows.append(
                {
                    "id": row.pk,
                    "quantity": left or row.quantity,
                    "deleted_at": None if left else moment,
                    "updated_at": moment,
                }
            )
    return rows


def _deduction(level: InventoryLevel, quantity: int, backordered: int) -> Move:
    """The move that deducts the pieces. Those that were not sold on backorder must be in stock."""
    must_be_there = quantity - backordered
    if must_be_there and must_be_there > level.stocked_quantity:
        raise StockBelowZero(level.inventory_item_id, level.location_id, stocked=level.stocked_quantity)
    return Move(level, level.stocked_quantity - quantity, backordered)


_LEVELS = locked_rows(
    InventoryLevel, lambda location_id: InventoryLevel.objects.filter(location=location_id), key="inventory_item_id"
)
_RESERVATIONS = locked_rows(
    Reservation, lambda location_id: Reservation.objects.not_deleted().filter(location=location_id), key="line_item_id"
)
