"""Counting the units of a return that have arrived, before staff confirm the receipt.

Why: docs/decisions/returns.md#counted-units-are-kept-until-staff-confirm.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import ReturnItem
from orders.returns.locked_return import LockedReturn, lock_return
from orders.returns.notes import checked_note
from orders.returns.receipt import ReceivedItem, check_left, receive_locked
from orders.returns.returnable import counted


@transaction.atomic
def begin(*, actor: Actor, return_id: str, internal_note: str | None = None) -> None:
    """Check that units of the return can be received. internal_note: replaces that of the return.

    Raises ReturnNotFound, NotReceivable, InvalidData (internal_note), Forbidden.
    """
    note = checked_note(internal_note, field="internal_note")
    opened = _opened(actor, return_id)
    if note is not None:
        opened.change(internal_note=note)


@transaction.atomic
def count_received(*, actor: Actor, return_id: str, items: Sequence[ItemQuantity]) -> None:
    """Set how many undamaged units of these lines have arrived. Counting a line again replaces its number.

    Raises ReturnNotFound, NotReceivable, DuplicateItem, QuantityTooSmall, ItemsNotInReturn, MoreThanRequested,
    Forbidden.
    """
    _count(actor, return_id, items, column="arrived_quantity", other="arrived_damaged_quantity")


@transaction.atomic
def count_damaged(*, actor: Actor, return_id: str, items: Sequence[ItemQuantity]) -> None:
    """Set how many damaged units have arrived, which are not restocked. Raises the errors of `count_received`."""
    _count(actor, return_id, items, column="arrived_damaged_quantity", other="arrived_quantity")


@transaction.atomic
def recount_received(*, actor: Actor, return_id: str, item_id: str, quantity: int) -> None:
    """Set how many undamaged units of an item have arrived; 0 for none. item_id: the id of the return item.

    Raises ReturnNotFound, NotReceivable, ReturnItemNotFound, MoreThanRequested, Forbidden.
    """
    _recount(actor, return_id, item_id, quantity, column="arrived_quantity", other="arrived_damaged_quantity")


@transaction.atomic
def recount_damaged(*, actor: Actor, return_id: str, item_id: str, quantity: int) -> None:
    """Set how many damaged units of an item have arrived. As `recount_received`."""
    _recount(actor, return_id, item_id, quantity, column="arrived_damaged_quantity", other="arrived_quantity")


@transaction.atomic
def confirm(*, actor: Actor, return_id: str, no_notification: bool | None = None) -> None:
    """Receive the counted units. Raises the errors of `receipt.receive`."""
    opened = _opened(actor, return_id)
    if no_notification is not None:
        opened.change(no_notification=no_notification)
    counted_items = {
        line_id: ReceivedItem(line_id, item.arrived_quantity, item.arrived_damaged_quantity)
        for line_id, item in opened.items.items()
        if item.arrived_quantity or item.arrived_damaged_quantity
    }
    receive_locked(opened, counted_items, location_id=None, actor=actor)


@transaction.atomic
def discard(*, actor: Actor, return_id: str) -> None:
    """Discard the counts. Raises ReturnNotFound, NotReceivable, Forbidden."""
    opened, moment = _opened(actor, return_id), now()
    nothing = {"arrived_quantity": 0, "arrived_damaged_quantity": 0, "updated_at": moment}
    raw_rows.update(ReturnItem, [{"id": item.pk, **nothing} for item in opened.items.values()])


def _opened(actor: Actor, return_id: str) -> LockedReturn:
    actor.require("orders.change_return")
    opened = lock_return(return_id)
    opened.require_receivable()
    return opened


def _recount(actor: Actor, return_id: str, item_id: str, quantity: int, *, column: str, other: str) -> None:
    opened = _opened(actor, return_id)
    _write_counts(opened, {opened.item(item_id).item_id: quantity}, column=column, other=other)


def _count(actor: Actor, return_id: str, items: Sequence[ItemQuantity], *, column: str, other: str) -> None:
    opened = _opened(actor, return_id)
    units = counted([(item.line_id, item.quantity) for item in items])
    _write_counts(opened, units, column=column, other=other)


def _write_counts(opened: LockedReturn, units: Mapping[str, int], *, column: str, other: str) -> None:
    moment = now()
    for line_id, number in units.items():
        item = opened.items.get(line_id)
        check_left(opened, line_id, number + (getattr(item, other) if item else 0))
    rows = [{"id": opened.items[line_id].pk, column: number, "updated_at": moment} for line_id, number in units.items()]
    raw_rows.update(ReturnItem, rows)
