"""Preparing an open return: changing its items, and requesting it."""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.fulfillments.errors import DuplicateItem
from orders.fulfillments.location import check_location
from orders.models import ReturnItem
from orders.returns.creation import (
    NewReturnItem,
    count_requested,
    insert_items,
    item_columns,
)
from orders.returns.errors import NothingToReturn
from orders.returns.locked_return import LockedReturn, lock_return
from orders.returns.notes import checked_note
from orders.returns.reasons import check_reasons
from orders.returns.returnable import check_returnable, counted
from orders.returns.shipping import join_order, method_of, remove_method
from orders.states import ReturnStatus


class ItemNotes(TypedDict, total=False):
    """The fields of an item that can change, besides its units; omitted ones stay."""

    reason_id: str | None
    note: str | None
    metadata: Metadata | None


class ItemChanges(ItemNotes, total=False):
    """The fields of an item that can change; omitted ones stay."""

    quantity: int


class ReturnChanges(TypedDict, total=False):
    """The fields of a return that staff can change; omitted ones stay."""

    location_id: str | None
    no_notification: bool | None
    metadata: Metadata | None


@transaction.atomic
def add_items(*, actor: Actor, return_id: str, items: Sequence[NewReturnItem]) -> None:
    """Add items to an open return. Their units are counted once the return is requested.

    Raises ReturnNotFound, NotOpen, and the errors of `creation.request` about items.
    """
    actor.require("orders.change_return")
    rows = [item_columns(item) for item in items]
    opened = _open(return_id)
    units = counted([(item.line_id, item.quantity) for item in items])
    if again := next((line_id for line_id in units if line_id in opened.items), None):
        raise DuplicateItem(again)
    check_returnable(opened.order, units, actor=actor)
    check_reasons(item.reason_id for item in items)
    insert_items(return_id, rows)


@transaction.atomic
def change_item(*, actor: Actor, return_id: str, item_id: str, **changes: Unpack[ItemChanges]) -> None:
    """Change an item of an open return. Metadata is merged. item_id: the id of the return item.

    Raises ReturnItemNotFound, and the errors of `add_items`.
    """
    actor.require("orders.change_return")
    opened = _open(return_id)
    item = opened.item(item_id)
    columns = changed_columns(item, changes)
    check_reasons([changes.get("reason_id")])
    if "quantity" in changes:
        check_returnable(opened.order, counted([(item.item_id, changes["quantity"])]), actor=actor)
    if columns:
        raw_rows.update(ReturnItem, [{"id": item.pk, **columns, "updated_at": now()}])


def changed_columns(item: ReturnItem, changes: ItemNotes) -> dict[str, object]:
    """The columns of an item that changes write. Raises InvalidData (note, metadata)."""
    columns: dict[str, object] = {**changes}
    if "note" in changes:
        columns["note"] = checked_note(changes["note"], field="note")
    if "metadata" in changes:
        columns["metadata"] = metadata_rules.merged(item.metadata, metadata_rules.checked(changes["metadata"]))
    return columns


@transaction.atomic
def remove_item(*, actor: Actor, return_id: str, item_id: str) -> None:
    """Remove an item from an open return. Raises ReturnNotFound, NotOpen, ReturnItemNotFound, Forbidden."""
    actor.require("orders.change_return")
    raw_rows.delete(ReturnItem, [_open(return_id).item(item_id).pk])


@transaction.atomic
def update(*, actor: Actor, return_id: str, **changes: Unpack[ReturnChanges]) -> None:
    """Change the given fields of a return; metadata is merged.

    Raises ReturnNotFound, UnknownLocation, InvalidData (metadata), Forbidden.
    """
    actor.require("orders.change_return")
    opened = lock_return(return_id)
    columns: dict[str, object] = {**changes}
    check_location(changes.get("location_id"))
    if "metadata" in changes:
        columns["metadata"] = metadata_rules.merged(opened.row.metadata, metadata_rules.checked(changes["metadata"]))
    if columns:
        opened.change(**columns)


@transaction.atomic
def confirm(*, actor: Actor, return_id: str, no_notification: bool | None = None) -> None:
    """Request an open return. Its items are checked again.

    Raises ReturnNotFound, NotOpen, OrderCanceled, NothingToReturn, GiftCardLine, TooManyToReturn, InvalidData (the
    total with the shipping), Forbidden.
    """
    actor.require("orders.change_return")
    opened = _open(return_id)
    opened.order.require_not_canceled()
    if not opened.items:
        raise NothingToReturn
    check_returnable(opened.order, opened.units, actor=actor)
    columns = {} if no_notification is None else {"no_notification": no_notification}
    version = opened.order.row.version
    opened.change(status=ReturnStatus.REQUESTED.value, requested_at=now(), order_version=version, **columns)
    method = method_of(return_id)
    if method is not None:
        join_order(opened.order, method)
    count_requested(opened.order, opened.units, return_id, method)


@transaction.atomic
def discard(*, actor: Actor, return_id: str) -> None:
    """Delete an open return with its shipping. Raises ReturnNotFound, NotOpen, Forbidden."""
    actor.require("orders.change_return")
    _open(return_id).change(deleted_at=now())
    if (method := method_of(return_id)) is not None:
        remove_method(method)


def _open(return_id: str) -> LockedReturn:
    opened = lock_return(return_id)
    opened.require_open()
    return opened
