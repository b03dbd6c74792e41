"""Counting the units of a return that have arrived, before staff confirm the receipt.

Why: docs/decisions/returns.md#counted-units-are-kept-until-staff-confirm.
"""

from collections.abc import Mapping, Sequence
from typing import Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import ReturnItem
from orders.returns.locked_return import LockedReturn, lock_return
from orders.returns.notes import checked_note
from orders.returns.preparation import ItemNotes, changed_columns
from orders.returns.reasons import check_reasons
from orders.returns.receipt import ReceivedItem, check_left, receive_locked
from orders.returns.returnable import counted

NOTHING: Mapping[str, ItemNotes] = {}


@transaction.atomic
def begin(*, actor: Actor, return_id: str, internal_note: str | None = None, metadata: Metadata | None = None) -> None:
    """Check that units of the return can be received. internal_note: replaces that of the return. metadata: merged.

    Raises ReturnNotFound, NotReceivable, InvalidData (internal_note, metadata), Forbidden.
    """
    note, added = checked_note(internal_note, field="internal_note"), metadata_rules.checked(metadata)
    opened = _opened(actor, return_id)
    columns: dict[str, object] = {} if note is None else {"internal_note": note}
    if metadata is not None:
        columns["metadata"] = metadata_rules.merged(opened.row.metadata, added)
    if columns:
        opened.change(**columns)


@transaction.atomic
def count_received(
    *, actor: Actor, return_id: str, items: Sequence[ItemQuantity], changes: Mapping[str, ItemNotes] = NOTHING
) -> None:
    """Set how many undamaged units of these lines have arrived. Counting a line again replaces its number.

    changes: by line, to other fields of the return's items; metadata is merged.
    Raises ReturnNotFound, NotReceivable, DuplicateItem, QuantityTooSmall, ItemsNotInReturn, MoreThanRequested,
    UnknownReturnReason, ReasonHasNested, InvalidData (notes, metadata), Forbidden.
    """
    _count(actor, return_id, items, changes, column="arrived_quantity", other="arrived_damaged_quantity")


@transaction.atomic
def count_damaged(
    *, actor: Actor, return_id: str, items: Sequence[ItemQuantity], changes: Mapping[str, ItemNotes] = NOTHING
) -> None:
    """Set how many damaged units have arrived, which are not restocked. As `count_received`."""
    _count(actor, return_id, items, changes, column="arrived_damaged_quantity", other="arrived_quantity")


@transaction.atomic
def recount_received(
    *, actor: Actor, return_id: str, item_id: str, quantity: int | None = None, **changes: Unpack[ItemNotes]
) -> None:
    """Set how many undamaged units of an item have arrived; 0 for none. item_id: the id of the return item.

    quantity: None leaves it. changes: to other fields of the item.

    Raises ReturnNotFound, NotReceivable, ReturnItemNotFound, MoreThanRequested, Forbidden.
    """
    _recount(actor, return_id, item_id, quantity, changes, column="arrived_quantity", other="arrived_damaged_quantity")


@transaction.atomic
def recount_damaged(
    *, actor: Actor, return_id: str, item_id: str, quantity: int | None = None, **changes: Unpack[ItemNotes]
) -> None:
    """Set how many damaged units of an item have arrived. As `recount_received`."""
    _recount(actor, return_id, item_id, quantity, changes, column="arrived_damaged_quantity", other="arrived_quantity")


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


def _recount(
    actor: Actor,
    return_id: str,
    item_id: str,
    quantity: int | None,
    changes: ItemNotes,
    *,
    column: str,
    other: str,
) -> None:
    opened = _opened(actor, return_id)
    item = opened.item(item_id)
    number = getattr(item, column) if quantity is None else quantity
    _write_counts(opened, {item.item_id: number}, {item.item_id: changes}, column=column, other=other)


def _count(
    actor: Actor,
    return_id: str,
    items: Sequence[ItemQuantity],
    changes: Mapping[str, ItemNotes],
    *,
    column: str,
    other: str,
) -> None:
    opened = _opened(actor, return_id)
    units = counted([(item.line_id, item.quantity) for item in items])
    _write_counts(opened, units, changes, column=column, other=other)


def _write_counts(
    opened: LockedReturn,
    units: Mapping[str, int],
    changes: Mapping[str, ItemNotes],
    *,
    column: str,
    other: str,
) -> None:
    check_reasons(each.get("reason_id") for each in changes.values())
    rows, moment = [], now()
    for line_id, number in units.items():
        item = opened.items.get(line_id)
        check_left(opened, line_id, number + (getattr(item, other) if item else 0))
        item = opened.items[line_id]
        current = {name: getattr(item, name) for name in ("reason_id", "note", "metadata")}
        changed = changed_columns(item, changes.get(line_id, {}))
        rows.append({"id": item.pk, column: number, **current, **changed, "updated_at": moment})
    raw_rows.update(ReturnItem, rows)
