"""Reserving stock for lines of carts and orders, and releasing it.

Triggers keep each level's reserved_quantity equal to the sum of its reservations (catalog/stock/stock_triggers). Verbs
lock the levels first, so that the quantities they compare cannot change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from catalog.errors import InventoryLevelNotFound, NotEnoughStock, ReservationNotFound
from catalog.models import InventoryLevel, Reservation
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from kit.errors import InvalidData
from kit.values.timestamps import now
from kit.writes import raw_rows

Place = tuple[str, str]
"""The ids of an inventory item and a stock location, which identify a level."""


@dataclass(frozen=True, slots=True)
class ReservationRequest:
    """quantity: pieces of the item, 1 or more. allow_backorder: whether more than the stock may be reserved."""

    inventory_item_id: str
    location_id: str
    quantity: int
    line_item_id: str | None = None
    description: str = ""
    allow_backorder: bool = False

    @property
    def place(self) -> Place:
        """The level to reserve from."""
        return self.inventory_item_id, self.location_id


@transaction.atomic
def reserve(*, actor: Actor, requests: Sequence[ReservationRequest]) -> list[Reservation]:
    """Reserve stock for all requests, or for none. Returns the reservations in the order of the requests.

    Raises InvalidData (quantity), InventoryLevelNotFound, NotEnoughStock, Forbidden.
    Why: docs/decisions/catalogue.md#backorders-are-decided-when-a-line-is-sold.
    """
    actor.require("catalog.add_reservation")
    if any(request.quantity < 1 for request in requests):
        raise InvalidData("Value for field 'quantity' too small, expected at least: '1'")
    levels = _locked(request.place for request in requests)
    made = []
    for request in requests:
        level = levels.get(request.place)
        if level is None:
            raise InventoryLevelNotFound(*request.place)
        if not request.allow_backorder and request.quantity > level.stocked_quantity - level.reserved_quantity:
            raise NotEnoughStock(request.inventory_item_id)
        level.reserved_quantity += request.quantity
        made.append(
            Reservation(
                inventory_item_id=request.inventory_item_id,
                location_id=request.location_id,
                quantity=request.quantity,
                allow_backorder=request.allow_backorder,
                line_item_id=request.line_item_id,
                description=request.description,
            )
        )
    report(InventoryLevel, Change.UPDATED, [levels[request.place] for request in requests])
    return Reservation.objects.bulk_create(made)


@transaction.atomic
def release(*, actor: Actor, reservation_ids: Sequence[str]) -> None:
    """Release the reservations, all or none, so that the stock can be sold again.

    Raises ReservationNotFound (also for one that is released already), Forbidden.
    """
    actor.require("catalog.delete_reservation")
    missing = set(reservation_ids) - end(Reservation.objects.filter(pk__in=reservation_ids))
    if missing:
        raise ReservationNotFound(min(missing))


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


def _locked(places: Iterable[Place]) -> dict[Place, InventoryLevel]:
    wanted = Q(pk__in=[])
    for inventory_item_id, location_id in set(places):
        wanted |= Q(inventory_item_id=inventory_item_id, location_id=location_id)
    levels = lock_rows(sellable_levels().filter(wanted))
    return {(level.inventory_item_id, level.location_id): level for level in levels}
