"""Packing units of an order. Source: orders.md 1.7, 2.2, D16, 8.19."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from commerce.kit.core import raw_rows
from commerce.kit.core.actor import Actor
from commerce.kit.core.ids import new_id
from commerce.kit.core.metadata import Metadata, checked
from commerce.kit.core.timestamps import now
from commerce.shop.models import StockLocation
from orders import events
from orders.fulfillments.errors import LocationNotFound
from orders.fulfillments.goods import Goods, Units, chosen_goods
from orders.fulfillments.open_order import OpenOrder, open_order
from orders.fulfillments.packing import PackedItem, Packing, pack
from orders.fulfillments.payment import check_paid
from orders.fulfillments.requests import request_booking
from orders.fulfillments.shipping_option import ChosenOption, named_option, option_of_order
from orders.fulfillments.stock import take_stock
from orders.models import Fulfillment, FulfillmentItem


@transaction.atomic
def create(
    *,
    actor: Actor,
    order_id: str,
    items: Sequence[Units],
    location_id: str | None = None,
    shipping_option_id: str | None = None,
    metadata: Metadata | None = None,
) -> str:
    """Pack units of the order's lines; returns the fulfillment's id. Their reserved stock is taken.

    location_id: where they are taken from; may be left out if they are reserved at one location.
    shipping_option_id: by default the first of the order's own that ships them. Its provider is asked after the commit.
    Raises OrderNotFound, OrderCanceled, OrderNotPaid, the errors of chosen_goods, LocationNotFound, OptionNotFound,
    ProfileMismatch, NotReserved, SeveralLocations, ReservedElsewhere, StockBelowZero, InvalidData (metadata),
    Forbidden.
    """
    actor.require("orders.add_fulfillment")
    kept = checked(metadata)
    order = open_order(order_id)
    order.require_living()
    check_paid(order.row)
    goods = chosen_goods(order, items)
    option = _option(order, goods, shipping_option_id)
    _check_location(location_id)
    ships_from = option.service_zone__fulfillment_set__location_id if option else None
    packing = pack(goods, location_id=location_id, other_location_id=ships_from)
    fulfillment_id = new_id("ful")
    given = {"id": fulfillment_id, "created_by": actor.id, "metadata": kept}
    _insert({**given, **_packed(order, packing, option)}, packing)
    take_stock(fulfillment_id, packing.location_id, packing.parts, actor=actor)
    order.count("fulfilled_quantity", {each.line.id: each.units for each in goods})
    order.row.fulfillment_count += 1
    order.write()
    events.fulfillment_created(order_id, fulfillment_id)
    if goods[0].line.requires_shipping and option is not None:
        request_booking(fulfillment_id, option.provider_id)
    return fulfillment_id


def _option(order: OpenOrder, goods: Sequence[Goods], option_id: str | None) -> ChosenOption | None:
    return named_option(option_id, goods) if option_id is not None else option_of_order(order.row.pk, goods)


def _check_location(location_id: str | None) -> None:
    if location_id is not None and StockLocation.objects.not_deleted().with_id(location_id) is None:
        raise LocationNotFound(location_id)


def _insert(row: Mapping[str, object], packing: Packing) -> None:
    """The fulfillment and its items, both with the row's dates."""
    raw_rows.insert(Fulfillment, [row])
    dates = {name: row[name] for name in ("created_at", "updated_at", "deleted_at")}
    raw_rows.insert(FulfillmentItem, [{**_item(each, str(row["id"])), **dates} for each in packing.items])


def _packed(order: OpenOrder, packing: Packing, option: ChosenOption | None) -> dict[str, object]:
    moment = now()
    return {
        "order_id": order.row.pk,
        "location_id": packing.location_id,
        "provider_id": option.provider_id if option else None,
        "shipping_option_id": option.id if option else None,
        "delivery_address_id": order.row.shipping_address_id,
        "requires_shipping": bool(packing.items[0].goods.line.requires_shipping),
        "packed_at": moment,
        **dict.fromkeys(("shipped_at", "delivered_at", "canceled_at", "cancel_reason", "marked_shipped_by")),
        "data": {},
        "created_at": moment,
        "updated_at": moment,
        "deleted_at": None,
    }


def _item(item: PackedItem, fulfillment_id: str) -> dict[str, object]:
    return {
        "id": new_id("fulit"),
        "fulfillment_id": fulfillment_id,
        "line_item_id": item.goods.line.id,
        "inventory_item_id": item.inventory_item_id,
        "title": item.title,
        "sku": item.sku,
        "barcode": item.goods.line.variant_barcode or "",
        "units": item.goods.units,
        "quantity": item.quantity,
    }
