"""Orders that are paid, and what their fulfillments leave in lines and stock."""

from typing import Any, NamedTuple

from django.db.models import Sum

from carts.lines.lines import NewLineItem
from catalog.models import InventoryLevel, ProductVariant, Reservation
from kit.domain.actor import SYSTEM, Actor
from kit.messages.outbox.models import Event
from orders.fulfillments import creation
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import Fulfillment, Order, OrderLineItem
from shop.models import StockLocation
from tests.factories.carts import sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.inventory import stock
from tests.orders.completing import order_of

STAFF = Actor("user", "user_ann", permitted=lambda permission: True)


def ordered(*pieces: tuple[ProductVariant, int] | ProductVariant, **given: Any) -> Order:
    """The authorized order of so many of each variant; by default of five of one, of which there are ten."""
    wanted = pieces or ((sold_variant(10, in_stock=10), 5),)
    items = [
        NewLineItem(each[0].pk, each[1]) if isinstance(each, tuple) else NewLineItem(each.pk, 1) for each in wanted
    ]
    return order_of(ready_cart(*items, **given))


def kit_of(*parts: tuple[int, int], location: StockLocation) -> ProductVariant:
    """A variant of several items: of each, how many one unit requires, and how many there are."""
    kit = sold_variant(10)
    kit.manage_inventory = True
    kit.save()
    for required, there in parts:
        stock(kit, there, location=location, required_quantity=required)
    return kit


def lines(order: Order) -> list[OrderLineItem]:
    return list(OrderLineItem.objects.filter(order=order).order_by("pk"))


def pack(order: Order, *units: int, actor: Actor = STAFF, **given: Any) -> Fulfillment:
    """So many units of each line, in their order; 0 leaves one out."""
    items = [ItemQuantity(line.pk, number) for line, number in zip(lines(order), units, strict=False) if number]
    made = creation.create(actor=actor, order_id=order.pk, items=items, **given)
    found: Fulfillment = Fulfillment.objects.get(pk=made)
    return found


class Books(NamedTuple):
    """counters: of each line fulfilled, shipped, delivered. stock: of each level stocked, reserved."""

    counters: list[tuple[int, int, int]]
    stock: list[tuple[int, int]]
    status: str


def books(order: Order) -> Books:
    """What is written down, after comparing every level with the sum of its reservations."""
    order.refresh_from_db()
    levels = InventoryLevel.objects.order_by("pk")
    for level in levels:
        own = Reservation.objects.not_deleted().filter(inventory_item=level.inventory_item_id, location=level.location)
        assert level.reserved_quantity == (own.aggregate(sum=Sum("quantity"))["sum"] or 0)
    return Books(
        [(line.fulfilled_quantity, line.shipped_quantity, line.delivered_quantity) for line in lines(order)],
        [(level.stocked_quantity, level.reserved_quantity) for level in levels],
        order.fulfillment_status,
    )


def reserved(order: Order) -> dict[tuple[str, str, str], int]:
    """Pieces by line, item and location."""
    rows = Reservation.objects.not_deleted().filter(line_item_id__in=[line.pk for line in lines(order)])
    found = rows.values_list("line_item_id", "inventory_item_id", "location_id").annotate(sum=Sum("quantity"))
    return {(str(line), item, place): number for line, item, place, number in found.order_by()}


def events(order: Order) -> list[tuple[str, str]]:
    """Of the order, apart from its placing: what happened, and what it is about."""
    rows = Event.objects.filter(order_of=order.pk).exclude(name="order.placed").order_by("created_at", "pk")
    return list(rows.values_list("name", "about"))


__all__ = ["STAFF", "SYSTEM", "Books", "books", "events", "kit_of", "lines", "ordered", "pack", "reserved"]
