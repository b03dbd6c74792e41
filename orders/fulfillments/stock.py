"""What fulfillments ask of the stock: all that orders know of catalog's reservations and levels."""

from collections.abc import Sequence
from typing import NamedTuple

from catalog.models import Reservation
from catalog.stock_shipping import StockPart, ship_stock, unship_stock
from commerce.kit.core.actor import Actor
from commerce.kit.projection.keyed_rows import KeyedRows
from orders.models import Fulfillment, FulfillmentItem


class Reserved(NamedTuple):
    """Pieces of an item that are reserved for a line at a location."""

    line_item_id: str
    inventory_item_id: str
    location_id: str
    quantity: int
    inventory_item__title: str
    inventory_item__sku: str | None


def reserved_for(line_ids: Sequence[str]) -> list[Reserved]:
    """What is reserved for the lines. One statement."""
    return _RESERVED.read(sorted(line_ids))


def take_stock(fulfillment_id: str, location_id: str | None, parts: Sequence[StockPart], *, actor: Actor) -> None:
    """Take the parts out of the location's stock and reservations. Four statements, none without parts.

    Raises StockBelowZero where the stock was counted down below what is reserved.
    """
    if parts and location_id is not None:
        ship_stock(actor=actor, location_id=location_id, parts=parts, fulfillment_id=fulfillment_id)


def put_back_stock(fulfillment: Fulfillment, items: Sequence[FulfillmentItem], *, actor: Actor) -> None:
    """Put back what the fulfillment took, in stock and for the same lines. Four statements, none if it took nothing."""
    parts = [
        StockPart(item.line_item_id, item.inventory_item_id, item.quantity)
        for item in items
        if item.inventory_item_id is not None
    ]
    if parts and fulfillment.location_id is not None:
        unship_stock(actor=actor, location_id=fulfillment.location_id, parts=parts, fulfillment_id=fulfillment.pk)


_RESERVED = KeyedRows(Reservation.objects.not_deleted, key="line_item_id", row=Reserved)
