"""The contents of packing lists and delivery notes. For many as many statements as for one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from catalog.models import Reservation
from kit.values.shown_dates import shown_moment
from orders.admin.order_page.formatting import address_lines, options_of
from orders.managing.bulk.parcels import Parcel
from orders.models import FulfillmentItem, Order, OrderLineItem
from shop.stores.store_name import store_name


@dataclass(frozen=True)
class SheetRow:
    """Pieces of one item. location: where they are in stock; "" if they are not taken from stock."""

    quantity: int
    title: str
    options: str
    sku: str
    barcode: str
    location: str = ""


@dataclass(frozen=True)
class Sheet:
    """location: of all rows; if it is empty, rows have their own. parcel: `parcel 2`, if the order has several."""

    title: str
    order: Order
    rows: Sequence[SheetRow]
    address: Sequence[str]
    shop: str
    location: str = ""
    packed_at: str = ""
    parcel: str = ""

    @property
    def placed_at(self) -> str:
        return shown_moment(self.order.created_at)

    @property
    def pieces(self) -> int:
        return sum(row.quantity for row in self.rows)

    @property
    def billing_address(self) -> list[str]:
        """The billing address; empty if it equals the shipping address."""
        lines = address_lines(self.order.billing_address)
        return [] if lines == list(self.address) else lines


def packing_lists(parcels: Sequence[Parcel]) -> list[Sheet]:
    """The pieces to take from stock; a kit is listed as its items."""
    rows: defaultdict[str, list[SheetRow]] = defaultdict(list)
    for item in _items(parcels):
        options = _options(item.line_item, item.title)
        rows[item.fulfillment_id].append(SheetRow(item.quantity, item.title, options, item.sku, item.barcode))
    return _of_parcels("Packing list", parcels, rows)


def delivery_notes(parcels: Sequence[Parcel]) -> list[Sheet]:
    """The units that the customer receives, as they were sold."""
    units: defaultdict[str, dict[OrderLineItem, int]] = defaultdict(dict)
    for item in _items(parcels):
        units[item.fulfillment_id][item.line_item] = item.units
    rows = {key: [_sold(line, of[line]) for line in sorted(of, key=_placed)] for key, of in units.items()}
    return _of_parcels("Delivery note", parcels, rows)


def remaining_lists(orders: Sequence[Order]) -> list[Sheet]:
    """The pieces that are not packed yet, with the locations where they are reserved."""
    left: dict[str, dict[OrderLineItem, int]] = {order.pk: {} for order in orders}
    for line in OrderLineItem.objects.not_deleted().filter(order__in=orders).order_by("created_at", "pk"):
        if units := line.quantity - line.fulfilled_quantity:
            left[line.order_id][line] = units
    reserved, shop = _reserved([line for lines in left.values() for line in lines]), store_name()
    rows = {
        key: [
            row
            for line, units in lines.items()
            for row in [_piece(line, each) for each in reserved[line.pk]] or [_sold(line, units)]
        ]
        for key, lines in left.items()
    }
    return [
        Sheet("Packing list", order, rows[order.pk], address_lines(order.shipping_address), shop) for order in orders
    ]


def _items(parcels: Sequence[Parcel]) -> QuerySet[FulfillmentItem]:
    rows: QuerySet[FulfillmentItem] = FulfillmentItem.objects.filter(fulfillment__in=[each.row for each in parcels])
    return rows.select_related("line_item").order_by("line_item__created_at", "pk")


def _of_parcels(title: str, parcels: Sequence[Parcel], rows: Mapping[str, Sequence[SheetRow]]) -> list[Sheet]:
    shop = store_name()
    return [
        Sheet(
            title,
            row.order,
            rows.get(row.pk, []),
            address_lines(row.delivery_address),
            shop,
            location=row.location.name if row.location else "",
            packed_at=shown_moment(row.packed_at),
            parcel="" if is_only else f"parcel {number}",
        )
        for row, number, is_only in parcels
    ]


def _placed(line: OrderLineItem) -> tuple[datetime, str]:
    return line.created_at, line.pk


def _options(line: OrderLineItem, title: str) -> str:
    """The options of the line, unless the item's title contains them."""
    options = options_of(line)
    return "" if options in title else options


def _sold(line: OrderLineItem, units: int) -> SheetRow:
    return SheetRow(units, line.title, options_of(line), line.variant_sku or "", line.variant_barcode or "")


def _piece(line: OrderLineItem, reservation: Reservation) -> SheetRow:
    item = reservation.inventory_item
    barcode = line.variant_barcode or "" if item.sku == line.variant_sku else ""
    return SheetRow(
        reservation.quantity,
        item.title or line.title,
        _options(line, item.title or ""),
        item.sku or "",
        barcode,
        reservation.location.name,
    )


def _reserved(lines: Sequence[OrderLineItem]) -> defaultdict[str, list[Reservation]]:
    of_line: defaultdict[str, list[Reservation]] = defaultdict(list)
    rows = Reservation.objects.not_deleted().filter(line_item_id__in=[line.pk for line in lines])
    for row in rows.select_related("inventory_item", "location").order_by("location__name", "pk"):
        of_line[str(row.line_item_id)].append(row)
    return of_line
