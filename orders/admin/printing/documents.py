"""One printable document for many orders. A further kind, such as invoices, is a function and a line in DOCUMENTS."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from orders.admin.printing.sheets import Sheet, delivery_notes, packing_lists, remaining_lists
from orders.managing.bulk.parcels import Parcel, parcels_of
from orders.models import Order


class Document(NamedTuple):
    """sheets: those of the orders, in their order. An order may have none."""

    label: str
    sheets: Callable[[Sequence[Order]], Sequence[Sheet]]


def _packing(orders: Sequence[Order]) -> list[Sheet]:
    """What is not packed yet, then the parcels that have not left."""
    left = [sheet for sheet in remaining_lists([order for order in orders if not order.is_canceled]) if sheet.rows]
    return [*left, *packing_lists([each for each in _parcels(orders) if each.row.shipped_at is None])]


def _delivery(orders: Sequence[Order]) -> list[Sheet]:
    return delivery_notes(_parcels(orders))


def _parcels(orders: Sequence[Order]) -> list[Parcel]:
    """Those that were not delivered."""
    found = parcels_of(order.pk for order in orders)
    return [parcel for order in orders for parcel in found.get(order.pk, ()) if parcel.row.delivered_at is None]


DOCUMENTS: Mapping[str, Document] = {
    "packing-lists": Document("Packing lists", _packing),
    "delivery-notes": Document("Delivery notes", _delivery),
}
"""What is printed for many orders, by name."""


def sheets_of(name: str, orders: Sequence[Order]) -> tuple[list[Sheet], list[Order]]:
    """The document's sheets by order, and the orders that have none."""
    place = {order.pk: number for number, order in enumerate(orders)}
    sheets = sorted(DOCUMENTS[name].sheets(orders), key=lambda sheet: place[sheet.order.pk])
    printed = {sheet.order.pk for sheet in sheets}
    return sheets, [order for order in orders if order.pk not in printed]
