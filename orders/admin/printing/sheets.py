"""The contents of packing lists and delivery notes."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from catalog.models import Reservation
from kit.values.shown_dates import shown_moment
from orders.admin.order_page.formatting import address_lines, options_of
from orders.models import Fulfillment, Order, OrderAddress, OrderLineItem
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
    """location: of all rows; if it is empty, rows have their own."""

    title: str
    order: Order
    rows: Sequence[SheetRow]
    address: Sequence[str]
    location: str = ""
    packed_at: str = ""
    shop: str = field(default_factory=store_name)

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


def packing_list(fulfillment: Fulfillment) -> Sheet:
    """The pieces to take from stock; a kit is listed as its items."""
    rows = [
        SheetRow(item.quantity, item.title, _options(item.line_item, item.title), item.sku, item.barcode)
        for item in fulfillment.items.select_related("line_item").order_by("line_item__created_at", "pk")
    ]
    return _of_fulfillment("Packing list", fulfillment, rows)


def delivery_note(fulfillment: Fulfillment) -> Sheet:
    """The units that the customer receives, as they were sold."""
    units = dict(fulfillment.items.values_list("line_item_id", "units"))
    lines = OrderLineItem.objects.filter(pk__in=units).order_by("created_at", "pk")
    return _of_fulfillment("Delivery note", fulfillment, [_sold(line, units[line.pk]) for line in lines])


def remaining_list(order: Order) -> Sheet:
    """The pieces that are not packed yet, with the locations where they are reserved."""
    lines = OrderLineItem.objects.not_deleted().filter(order=order).order_by("created_at", "pk")
    left = {line: line.quantity - line.fulfilled_quantity for line in lines}
    reserved = _reserved([line for line, units in left.items() if units])
    rows = [
        row
        for line, units in left.items()
        if units
        for row in [_piece(line, each) for each in reserved[line.pk]] or [_sold(line, units)]
    ]
    return Sheet("Packing list", order, rows, address_lines(order.shipping_address))


def _of_fulfillment(title: str, fulfillment: Fulfillment, rows: Sequence[SheetRow]) -> Sheet:
    address: OrderAddress | None = fulfillment.delivery_address
    return Sheet(
        title,
        fulfillment.order,
        rows,
        address_lines(address),
        location=fulfillment.location.name if fulfillment.location else "",
        packed_at=shown_moment(fulfillment.packed_at),
    )


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
