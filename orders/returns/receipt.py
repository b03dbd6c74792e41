"""Receiving the units of a return.

Why: docs/decisions/returns.md#receiving-a-return-refunds-nothing.
Why: docs/decisions/returns.md#returned-goods-are-owed-once-they-are-received.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.money import stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common import events
from orders.common.summary import balance_of, worth
from orders.fulfillments.errors import DuplicateItem, QuantityTooSmall
from orders.fulfillments.location import check_location
from orders.models import GrantedRefund, ReturnItem
from orders.payment.order_payments import follow_payments
from orders.returns.errors import ItemsNotInReturn, MoreThanRequested, NothingToReceive
from orders.returns.locked_return import LockedReturn, lock_return
from orders.returns.restocking import restock
from orders.returns.shipping import due, method_of
from orders.returns.totals import write_totals
from orders.states import InvoiceReason, ReturnStatus

_COUNTED = {
    "goods": "item_total",
    "requested": "requested_return_total",
    "shipping_due": "return_shipping_due",
    "agreed": "agreed_return_total",
}
"""The fields of a balance that a receipt changes, with their columns."""


@dataclass(frozen=True, slots=True)
class ReceivedItem:
    """Received units of a line: undamaged ones, which are restocked, and damaged ones, which are not."""

    line_id: str
    quantity: int = 0
    damaged_quantity: int = 0


@transaction.atomic
def receive(
    *,
    actor: Actor,
    return_id: str,
    items: Sequence[ReceivedItem],
    location_id: str | None = None,
    no_notification: bool | None = None,
) -> None:
    """Receive units of a requested return; the rest can be received later. Nothing is refunded.

    location_id: where managed items are restocked; by default at the location of the return, else at the one that they
        were shipped from. no_notification: whether the customer gets no email about this receipt.
    Raises ReturnNotFound, NotReceivable, NothingToReceive, DuplicateItem, QuantityTooSmall, ItemsNotInReturn,
    MoreThanRequested, UnknownLocation, RestockLocationRequired, NotStockedThere, InvalidData, Forbidden.
    """
    actor.require("orders.change_return")
    by_line = _by_line(items)
    check_location(location_id)
    opened = lock_return(return_id)
    receive_locked(opened, by_line, location_id=location_id, actor=actor, is_mailed=not no_notification)


def receive_locked(
    opened: LockedReturn,
    items: Mapping[str, ReceivedItem],
    *,
    location_id: str | None,
    actor: Actor,
    is_mailed: bool = True,
) -> None:
    """Like `receive`, for a return that is locked. items: by line, at least one unit each."""
    opened.require_receivable()
    if not items:
        raise NothingToReceive
    for line_id, item in items.items():
        check_left(opened, line_id, item.quantity + item.damaged_quantity)
    received = {line_id: item.quantity for line_id, item in items.items() if item.quantity}
    damaged = {line_id: item.damaged_quantity for line_id, item in items.items() if item.damaged_quantity}
    place = restock(opened, received, location_id=location_id or opened.row.location_id, actor=actor)
    order = opened.order
    for units in (received, damaged):
        for counter in opened.counters:
            order.adjust_counter(counter, units, sign=-1)
    order.adjust_counter("return_received_quantity", received)
    order.adjust_counter("return_dismissed_quantity", damaged)
    columns = {**write_totals(order, list(items)), **_counted_shipping(opened)}
    order.write(**columns, **_settled_allowance(opened, columns))
    _write_items(opened, items)
    _write_status(opened, location_id=place, by=actor.id)
    events.return_received(order.row.pk, opened.row.pk, is_mailed=is_mailed)
    follow_payments(order.row.pk, reason=InvoiceReason.RETURN, is_mailed=is_mailed)


def check_left(opened: LockedReturn, line_id: str, units: int) -> None:
    """Raise ItemsNotInReturn, and MoreThanRequested for more units of the line than are still to be received."""
    item = opened.items.get(line_id)
    if item is None:
        raise ItemsNotInReturn(line_id, opened.row.pk)
    left = item.quantity - item.received_quantity - item.damaged_quantity
    if units > left:
        raise MoreThanRequested(line_id, left)


def _settled_allowance(opened: LockedReturn, columns: Mapping[str, int]) -> Mapping[str, int]:
    """The order's allowance, without what was refunded for this return ahead of it: that is owed from now on."""
    order = opened.order.row
    before = balance_of(order)
    after = before._replace(**{field: columns[name] for field, name in _COUNTED.items() if name in columns})
    owed = worth(before) - worth(after)
    rows, total = [], stored(order.allowance_total)
    for refund in order.refunds.filter(return_id=opened.row.pk, allowance__gt=0).order_by("pk"):
        part = min(stored(refund.allowance), max(owed, 0))
        owed -= part
        total -= part
        rows.append({"id": refund.pk, "allowance": stored(refund.allowance) - part, "updated_at": now()})
    raw_rows.update(GrantedRefund, rows)
    return {"allowance_total": total} if rows else {}


def _counted_shipping(opened: LockedReturn) -> Mapping[str, int]:
    """The columns by which the return's shipping counts from the first receipt on."""
    if opened.row.status != ReturnStatus.REQUESTED or opened.is_agreed or not opened.order.row.return_shipping_due:
        return {}
    return due(opened.order, method_of(opened.row.pk), sign=-1)


def _by_line(items: Sequence[ReceivedItem]) -> Mapping[str, ReceivedItem]:
    by_line: dict[str, ReceivedItem] = {}
    for item in items:
        if item.line_id in by_line:
            raise DuplicateItem(item.line_id)
        if min(item.quantity, item.damaged_quantity) < 0 or not item.quantity + item.damaged_quantity:
            raise QuantityTooSmall
        by_line[item.line_id] = item
    return by_line


def _write_items(opened: LockedReturn, received: Mapping[str, ReceivedItem]) -> None:
    """Add the received units to the items, and reset their counts: the receipt confirms or replaces those."""
    moment, rows = now(), []
    for line_id, units in received.items():
        item = opened.items[line_id]
        item.received_quantity += units.quantity
        item.damaged_quantity += units.damaged_quantity
        rows.append(
            {
                "id": item.pk,
                "received_quantity": item.received_quantity,
                "damaged_quantity": item.damaged_quantity,
                "arrived_quantity": 0,
                "arrived_damaged_quantity": 0,
                "updated_at": moment,
            }
        )
    raw_rows.update(ReturnItem, rows)


def _write_status(opened: LockedReturn, *, location_id: str | None, by: str | None) -> None:
    is_whole = all(item.received_quantity + item.damaged_quantity == item.quantity for item in opened.items.values())
    status = ReturnStatus.RECEIVED if is_whole else ReturnStatus.PARTIALLY_RECEIVED
    opened.change(status=status.value, received_at=now() if is_whole else None, received_by=by, location_id=location_id)
