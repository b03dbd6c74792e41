"""How fulfillments read and change catalog's reservations and stock."""

from collections.abc import Sequence
from typing import NamedTuple

from catalog.models import Reservation
from catalog.stock.stock_deduction import StockQuantity, deduct_reserved_stock, restore_reserved_stock
from kit.domain.actor import Actor
from kit.reads.sql.keyed_rows import KeyedRows
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


def deduct_stock(
    fulfillment_id: str, location_id: str | None, quantities: Sequence[StockQuantity], *, actor: Actor
) -> None:
    """Deduct the quantities from the location's stock and reservations. Four statements; none without quantities.

    Raises StockBelowZero if less is in stock than is reserved.
    """
    if quantities and location_id is not None:
        deduct_reserved_stock(
            actor=actor, location_id=location_id, quantities=quantities, fulfillment_id=fulfillment_id
        )


def restore_stock(fulfillment: Fulfillment, items: Sequence[FulfillmentItem], *, actor: Actor) -> None:
    """Restore what the fulfillment deducted, reserved for the same lines. Four statements; none if nothing was."""
    quantities = [
        StockQuantity(item.line_item_id, item.inventory_item_id, item.quantity)
        for item in items
        if item.inventory_item_id is not None
    ]
    if quantities and fulfillment.location_id is not None:
        restore_reserved_stock(
            actor=actor, location_id=fulfillment.location_id, quantities=quantities, fulfillment_id=fulfillment.pk
        )


_RESERVED = KeyedRows(Reservation.objects.not_deleted, key="line_item_id", row=Reserved)
