"""Creating fulfillments.

Why: docs/decisions/fulfillments.md#fulfillments-take-what-is-reserved-for-their-lines.
Why: docs/decisions/fulfillments.md#carriers-are-asked-after-the-commit.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from carts.details.addresses import Address
from kit.domain.actor import Actor
from kit.values.ids import new_id
from kit.values.metadata import Metadata, checked
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common import events
from orders.common.new_addresses import insert_address
from orders.fulfillments.allocation import AllocatedItem, Allocation, allocate
from orders.fulfillments.labels import NewLabel, checked_labels, write_labels
from orders.fulfillments.location import check_location
from orders.fulfillments.locked_lines import LockedLines, lock_lines
from orders.fulfillments.payment import check_paid
from orders.fulfillments.replaced_option import check_replacement
from orders.fulfillments.requested_items import ItemQuantity, RequestedItem, requested_items
from orders.fulfillments.requests import request_booking
from orders.fulfillments.shipping_option import ChosenOption, named_option, option_of_order, provider_of
from orders.fulfillments.stock import deduct_stock
from orders.models import Fulfillment, FulfillmentItem, OrderAddress


@transaction.atomic
def create(
    *,
    actor: Actor,
    order_id: str,
    items: Sequence[ItemQuantity],
    location_id: str | None = None,
    shipping_option_id: str | None = None,
    provider_id: str | None = None,
    delivery_address: Address | None = None,
    labels: Sequence[NewLabel] = (),
    metadata: Metadata | None = None,
) -> str:
    """Pack units of the order's lines and deduct their reserved stock. Returns the fulfillment's id.

    location_id: where they ship from. Optional if they are reserved at one location only.
    shipping_option_id: defaults to the first of the order's options that ships them. Another one must ship from the
        location of the items to the address. Its provider is called after the commit.
    provider_id: that of the option; of an option without one, any.
    delivery_address: without a value, the shipping address of the order; its country defaults to that of the order.
    Raises OrderNotFound, OrderCanceled, OrderNotPaid, the errors of requested_items, UnknownLocation, UnknownOption,
    UnknownProvider, ProviderMismatch, ProfileMismatch, OptionOfOtherLocation, OptionNotForDelivery, LineNotReserved,
    LocationRequired, InsufficientReservation, StockBelowZero, InvalidData (metadata, delivery_address, labels),
    Forbidden.
    """
    actor.require("orders.add_fulfillment")
    kept, parcels = checked(metadata), checked_labels(labels)
    order = lock_lines(order_id)
    order.require_not_canceled()
    check_paid(order.row)
    requested = requested_items(order, items)
    option = _option(order, requested, shipping_option_id)
    ships = provider_of(option, provider_id)
    address = _completed(delivery_address, order)
    check_location(location_id)
    ships_from = option.service_zone__fulfillment_set__location_id if option else None
    allocation = allocate(requested, location_id=location_id, fallback_location_id=ships_from)
    if shipping_option_id is not None and option is not None:
        check_replacement(order_id, option, location_id=allocation.location_id, address=address)
    fulfillment_id = new_id("ful")
    given: dict[str, object] = {"id": fulfillment_id, "created_by": actor.id, "metadata": kept, "provider_id": ships}
    if address is not None:
        given["delivery_address_id"] = insert_address(address, field="delivery_address")
    _insert({**_columns(order, allocation, option), **given}, allocation)
    deduct_stock(fulfillment_id, allocation.location_id, allocation.stock_quantities, actor=actor)
    order.adjust_counter("fulfilled_quantity", {each.line.id: each.units for each in requested})
    order.row.fulfillment_count += 1
    order.write()
    write_labels(Fulfillment(pk=fulfillment_id, order_id=order_id), parcels)
    events.fulfillment_created(order_id, fulfillment_id)
    if requested[0].line.requires_shipping:
        request_booking(fulfillment_id, ships)
    return fulfillment_id


def _completed(address: Address | None, order: LockedLines) -> Address | None:
    """The given address with the order's country where it has none; None without a value."""
    if address is None or not any(address.values()):
        return None
    if address.get("country_code"):
        return address
    addresses = OrderAddress.objects.filter(pk=order.row.shipping_address_id)
    return {**address, "country_code": addresses.values_list("country_code", flat=True).first()}


def _option(order: LockedLines, requested: Sequence[RequestedItem], option_id: str | None) -> ChosenOption | None:
    return named_option(option_id, requested) if option_id is not None else option_of_order(order.row.pk, requested)


def _insert(row: Mapping[str, object], allocation: Allocation) -> None:
    """The fulfillment and its items, both with the row's dates."""
    raw_rows.insert(Fulfillment, [row])
    dates = {name: row[name] for name in ("created_at", "updated_at", "deleted_at")}
    raw_rows.insert(FulfillmentItem, [{**_item(each, str(row["id"])), **dates} for each in allocation.items])


def _columns(order: LockedLines, allocation: Allocation, option: ChosenOption | None) -> dict[str, object]:
    moment = now()
    return {
        "order_id": order.row.pk,
        "location_id": allocation.location_id,
        "shipping_option_id": option.id if option else None,
        "delivery_address_id": order.row.shipping_address_id,
        "requires_shipping": bool(allocation.items[0].requested.line.requires_shipping),
        "packed_at": moment,
        **dict.fromkeys(("shipped_at", "delivered_at", "canceled_at", "cancel_reason")),
        **dict.fromkeys(("marked_shipped_by", "delivered_by", "canceled_by")),
        "data": {},
        "created_at": moment,
        "updated_at": moment,
        "deleted_at": None,
    }


def _item(item: AllocatedItem, fulfillment_id: str) -> dict[str, object]:
    return {
        "id": new_id("fulit"),
        "fulfillment_id": fulfillment_id,
        "line_item_id": item.requested.line.id,
        "inventory_item_id": item.inventory_item_id,
        "title": item.title,
        "sku": item.sku,
        "barcode": item.requested.line.variant_barcode or "",
        "units": item.requested.units,
        "quantity": item.quantity,
    }
