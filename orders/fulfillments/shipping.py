"""Shipping a fulfillment."""

from collections.abc import Sequence

from django.db import transaction

from kit.domain.actor import Actor
from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from orders.common import events
from orders.fulfillments.errors import AlreadyShipped, ItemsNotInOrder, NotShippable, PartialShipment
from orders.fulfillments.labels import NewLabel, checked_labels, write_labels
from orders.fulfillments.locked_lines import LockedFulfillment, lock_fulfillment
from orders.fulfillments.payment import capture_on_shipping
from orders.fulfillments.requested_items import ItemQuantity


@transaction.atomic
def ship(
    *,
    actor: Actor,
    fulfillment_id: str,
    order_id: str | None = None,
    labels: Sequence[NewLabel] = (),
    items: Sequence[ItemQuantity] | None = None,
    no_notification: bool | None = None,
    metadata: Metadata | None = None,
) -> None:
    """Mark the whole fulfillment as shipped, and add the labels. The customer gets an email.

    items: if given, all items of the fulfillment, as clients of Medusa's API send them.
    no_notification: whether to send no email about this shipment. metadata: merged with that of the fulfillment.
    Raises FulfillmentNotFound, OrderCanceled, AlreadyShipped, NotShippable, ItemsNotInOrder, PartialShipment,
    InvalidData (labels, metadata), Forbidden.
    """
    actor.require("orders.change_fulfillment")
    checked, added = checked_labels(labels), metadata_rules.checked(metadata)
    opened = lock_fulfillment(fulfillment_id, order_id=order_id)
    opened.order.require_not_canceled()
    _check(opened)
    if items is not None:
        _check_items(opened, items)
    if metadata is not None:
        opened.change(metadata=metadata_rules.merged(opened.row.metadata, added))
    ship_locked(opened, labels=checked, by=actor.id, is_mailed=not no_notification)


def ship_locked(
    opened: LockedFulfillment, *, labels: Sequence[NewLabel], by: str | None, is_mailed: bool = True
) -> None:
    """Ship a packed fulfillment whose order is not canceled. by: the id of the staff user; None for the provider.

    is_mailed: whether the customer gets an email. What needs no shipping has none.
    """
    write_labels(opened.row, labels)
    opened.change(shipped_at=now(), marked_shipped_by=by)
    opened.order.adjust_counter("shipped_quantity", opened.units)
    opened.order.write()
    events.fulfillment_shipped(opened.row.order_id, opened.row.pk, is_mailed=is_mailed and opened.row.requires_shipping)
    capture_on_shipping(opened.row.order_id)


def _check(opened: LockedFulfillment) -> None:
    row = opened.row
    if row.canceled_at is not None:
        raise NotShippable("canceled")
    if row.shipped_at is not None:
        raise AlreadyShipped
    if row.delivered_at is not None:
        raise NotShippable("delivered")


def _check_items(opened: LockedFulfillment, items: Sequence[ItemQuantity]) -> None:
    if unknown := [item.line_id for item in items if item.line_id not in opened.units]:
        raise ItemsNotInOrder(unknown, opened.row.order_id)
    if {item.line_id: item.quantity for item in items} != opened.units:
        raise PartialShipment
