"""What fulfillments ask of the stock: all that orders know of catalog's reservations and levels."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import F

from catalog.models import InventoryLevel, Reservation
from commerce.kit.core.actor import Actor
from commerce.kit.core.timestamps import now
from commerce.kit.projection.keyed_rows import KeyedRows
from orders.models import Fulfillment, FulfillmentItem


class Reserved(NamedTuple):
    """Pieces of an item that are reserved for a line at a location."""

    id: str
    line_item_id: str
    inventory_item_id: str
    location_id: str
    quantity: int
    inventory_item__title: str
    inventory_item__sku: str | None


class TakenPieces(NamedTuple):
    """Pieces of a reservation that leave."""

    reservation_id: str
    quantity: int


def reserved_for(line_ids: Sequence[str]) -> list[Reserved]:
    """What is reserved for the lines. One statement."""
    return _RESERVED.read(sorted(line_ids))


def take_stock(fulfillment_id: str, taken: Sequence[TakenPieces], *, actor: Actor) -> None:
    """Take the pieces out of the stock and the reservations of their location."""
    for reservation_id, quantity in taken:
        reservation = Reservation.objects.get(pk=reservation_id)
        level = InventoryLevel.objects.filter(
            inventory_item=reservation.inventory_item_id, location=reservation.location_id
        )
        level.update(
            stocked_quantity=F("stocked_quantity") - quantity, reserved_quantity=F("reserved_quantity") - quantity
        )
        if reservation.quantity == quantity:
            Reservation.objects.filter(pk=reservation_id).update(deleted_at=now())
        else:
            Reservation.objects.filter(pk=reservation_id).update(quantity=F("quantity") - quantity)


def put_back_stock(fulfillment: Fulfillment, items: Sequence[FulfillmentItem], *, actor: Actor) -> None:
    """Put back what the fulfillment took, in stock and for the same lines."""
    for item in items:
        if item.inventory_item_id is None:
            continue
        place = {"inventory_item_id": item.inventory_item_id, "location_id": fulfillment.location_id}
        InventoryLevel.objects.filter(**place).update(
            stocked_quantity=F("stocked_quantity") + item.quantity,
            reserved_quantity=F("reserved_quantity") + item.quantity,
        )
        living = Reservation.objects.filter(**place, line_item_id=item.line_item_id, deleted_at=None)
        if not living.update(quantity=F("quantity") + item.quantity):
            Reservation.objects.create(**place, line_item_id=item.line_item_id, quantity=item.quantity)


_RESERVED = KeyedRows(Reservation.objects.not_deleted, key="line_item_id", row=Reserved)
