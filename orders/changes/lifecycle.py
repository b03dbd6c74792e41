"""Beginning a change of an order, marking it as ready, describing and canceling it."""

from collections.abc import Mapping
from typing import TypedDict, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values import metadata as metadata_rules
from kit.values.ids import new_id
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.effects import check, effects_of
from orders.changes.errors import ChangeOpen, NoActions, NoOpenChange
from orders.changes.open_change import EDITING, GOODS, RETURNING, check_editable, lock_change, lock_change_by_id
from orders.common import events
from orders.common.errors import OrderNotFound
from orders.common.locked_order import lock_order
from orders.common.open_edit import acting, cancel_open_change, open_change_of
from orders.managing.errors import UnknownOrder
from orders.models import Order, OrderChange
from orders.returns.notes import checked_note
from orders.states import ChangeKind, OrderChangeStatus


class ChangeTexts(TypedDict, total=False):
    """What staff say about a change."""

    description: str | None
    internal_note: str | None
    metadata: Metadata | None


class ChangeProperties(TypedDict, total=False):
    """The properties of a change that staff can set; omitted ones stay."""

    carry_over_promotions: bool
    internal_note: str | None


def checked_texts(texts: ChangeTexts) -> dict[str, object]:
    """The columns of the texts. Raises InvalidData (description, internal_note, metadata)."""
    return {
        "description": checked_note(texts.get("description"), field="description"),
        "internal_note": checked_note(texts.get("internal_note"), field="internal_note"),
        "metadata": metadata_rules.checked(texts.get("metadata")),
    }


@transaction.atomic
def begin(*, actor: Actor, order_id: str, **texts: Unpack[ChangeTexts]) -> str:
    """Begin to edit an order; returns the id of the change. Nothing of the order changes until it is confirmed.

    Raises UnknownOrder, OrderCanceled, OrderClosed, ChangeOpen, InvalidData (description, internal_note, metadata),
    Forbidden.
    """
    actor.require(EDITING)
    columns = checked_texts(texts)
    order = lock_named_order(order_id)
    check_editable(order)
    return insert_change(order, actor, columns)


def lock_named_order(order_id: str) -> Order:
    """The order, locked, which a field has named. Raises UnknownOrder."""
    try:
        return lock_order(order_id)
    except OrderNotFound as error:
        raise UnknownOrder(order_id) from error


def insert_change(order: Order, actor: Actor, columns: Mapping[str, object]) -> str:
    """Insert a change of the locked order, by default an edit; returns its id. Raises ChangeOpen. Two statements."""
    if (open_already := open_change_of(order)) is not None:
        raise ChangeOpen(order.pk, open_already.pk, open_already.created_by)
    of_edit = {"kind": ChangeKind.EDIT.value, "order_id": order.pk, "order_version": order.version}
    return insert_row(actor, {**of_edit, **columns})


def insert_row(actor: Actor, columns: Mapping[str, object]) -> str:
    """Insert a pending change with these columns; returns its id. The others have no value yet. One statement."""
    change_id, moment = new_id("ordch"), now()
    nothing_yet = dict.fromkeys(
        (
            *("no_notification", "total_before", "total_after", "requested_by", "requested_at"),
            *("confirmed_by", "confirmed_at", "canceled_by", "canceled_at", "deleted_at", "location_id"),
            *("order_id", "cart_id", "display_id", "claim_type", "reason_id"),
        )
    )
    own = {"id": change_id, "created_by": acting(actor), "carry_over_promotions": False}
    status = {"status": OrderChangeStatus.PENDING.value, "created_at": moment, "updated_at": moment}
    raw_rows.insert(OrderChange, [{**nothing_yet, **own, **status, **columns}])
    return change_id


@transaction.atomic
def request(*, actor: Actor, order_id: str, no_notification: bool | None = None, version: int | None = None) -> None:
    """Mark the open change of the order as ready to be confirmed. It can still be changed.

    no_notification: whether the customer gets no email once it is confirmed.
    Raises OrderNotFound, OrderCanceled, OrderClosed, VersionOutdated, NoOpenChange, NoActions, the refusals of
    `computed`, Forbidden.
    """
    actor.require(EDITING)
    change = lock_change(order_id, version=version)
    if not change.actions:
        raise NoActions
    check(effects_of(change))
    muted = {} if no_notification is None else {"no_notification": no_notification}
    status = {"status": OrderChangeStatus.REQUESTED.value, "requested_by": acting(actor), "requested_at": now()}
    change.change(**status, **muted)
    events.edit_requested(order_id, change.row.pk)


@transaction.atomic
def cancel(*, actor: Actor, order_id: str) -> None:
    """Cancel the open edit of the order. It stays listed, with its actions.

    Raises OrderNotFound, NoOpenChange, Forbidden.
    """
    actor.require(EDITING)
    order = lock_order(order_id)
    if not cancel_open_change(order, actor, ChangeKind.EDIT):
        raise NoOpenChange


@transaction.atomic
def set_properties(*, actor: Actor, change_id: str, **properties: Unpack[ChangeProperties]) -> None:
    """Set the given properties of an open change. internal_note: replaces the former one.

    Raises ChangeNotFound, ChangeEnded, the refusals of `computed` (carry_over_promotions), InvalidData (internal_note),
    Forbidden.
    """
    actor.require(EDITING)
    if "internal_note" in properties:
        checked_note(properties["internal_note"], field="internal_note")
    change = lock_change_by_id(change_id)
    if change.row.kind in GOODS:
        actor.require(RETURNING)
    if properties.get("carry_over_promotions"):
        change.row.carry_over_promotions = True
        check(effects_of(change))
    if properties:
        change.change(**properties)
