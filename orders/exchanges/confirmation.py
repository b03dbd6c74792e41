"""Confirming an exchange or a claim: one transaction under the order's lock, which writes what `computed` returns."""

from collections.abc import Mapping

from kit.domain.actor import Actor
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.computation import ComputedOrder
from orders.changes.confirmation import carry_out
from orders.changes.effects import check, effects_of, order_to_change
from orders.changes.open_change import OpenChange
from orders.common import events
from orders.common.added_taxes import renew_taxes
from orders.common.change_ids import return_id_of
from orders.exchanges.errors import (
    NotBothWays,
    NothingClaimed,
    NothingToSend,
    RefundsOnly,
    ShippingWithoutItems,
    ShippingWithoutUnits,
)
from orders.managing import history
from orders.models import Order, OrderChangeAction
from orders.returns.creation import ReturnDetails, details_columns, insert_items, insert_return
from orders.states import ChangeAction, ChangeKind, ClaimType, OrderStatus, ReturnStatus


def confirm_locked(change: OpenChange, *, actor: Actor, no_notification: bool | None) -> ComputedOrder:
    """Confirm the locked exchange or claim. The number of statements does not depend on those of lines and actions.

    Raises NotBothWays, NothingClaimed, NothingToSend, RefundsOnly, ShippingWithoutUnits, ShippingWithoutItems, the
    refusals of `computed`, LinesOutOfStock.
    """
    check_complete(change)
    renew_taxes(change.order, change.actions)
    before = order_to_change(change.row)
    after = effects_of(change, before)
    check(after)
    muted = change.row.no_notification if no_notification is None else no_notification
    return_id = _insert_returns(change, after, actor, muted=muted)
    if any(action.action == ChangeAction.ITEM_ADD for action in change.actions):
        _reopen(change.order, actor)
    is_muted = carry_out(change, before, after, actor=actor, no_notification=muted, return_id=return_id)
    events.goods_changed(change.order.pk, change.row.pk, change.row.kind, is_mailed=not is_muted)
    return after


def _reopen(order: Order, actor: Actor) -> None:
    """Have a completed or archived order, which sends goods again, be pending: staff pack pending ones.

    Why: docs/decisions/order-changes.md#an-exchange-reopens-its-order.
    """
    if order.status != OrderStatus.PENDING:
        raw_rows.update(Order, [{"id": order.pk, "status": OrderStatus.PENDING.value}])
        history.record(order, "Reopened: it sends goods again.", actor=actor)


def check_complete(change: OpenChange) -> None:
    """Raise what the exchange or claim lacks."""
    kinds = {action.action for action in change.actions}
    comes_back, goes_out = ChangeAction.RETURN_ITEM in kinds, ChangeAction.ITEM_ADD in kinds
    if change.row.kind == ChangeKind.EXCHANGE:
        if not (comes_back and goes_out):
            raise NotBothWays
    elif not (comes_back or ChangeAction.WRITE_OFF_ITEM in kinds):
        raise NothingClaimed
    elif goes_out and change.row.claim_type == ClaimType.REFUND:
        raise RefundsOnly
    elif not goes_out and change.row.claim_type == ClaimType.REPLACE:
        raise NothingToSend
    if not comes_back and any(action.is_inbound for action in change.actions):
        raise ShippingWithoutUnits
    if not goes_out and any(action.method_id and not action.is_inbound for action in change.actions):
        raise ShippingWithoutItems


def _insert_returns(change: OpenChange, after: ComputedOrder, actor: Actor, *, muted: bool | None) -> str | None:
    """The return of what comes back, whose id is returned, and that of what is written off."""
    moment, return_id = now(), None
    details = ReturnDetails(location_id=change.row.location_id, no_notification=muted)
    common = {**details_columns(details), "change_id": change.row.pk, "requested_at": moment}
    returned, claimed = (_by_line(change, kind) for kind in (ChangeAction.RETURN_ITEM, ChangeAction.WRITE_OFF_ITEM))
    if units := after.units.returned:
        known = {"id": return_id_of(change.row.pk), "status": ReturnStatus.REQUESTED.value}
        return_id = insert_return(change.order, actor, common, **known)
        insert_items(return_id, [_item(returned[line_id], number) for line_id, number in units.items()])
    if units := after.units.written_off:
        received = {"status": ReturnStatus.RECEIVED.value, "received_at": moment, "received_by": actor.id}
        off_id = insert_return(change.order, actor, common, **received, is_written_off=True)
        rows = [{**_item(claimed[line_id], number), "damaged_quantity": number} for line_id, number in units.items()]
        insert_items(off_id, rows)
    return return_id


def _by_line(change: OpenChange, kind: ChangeAction) -> Mapping[str, OrderChangeAction]:
    return {str(action.line_id): action for action in change.actions if action.action == kind}


def _item(action: OrderChangeAction, units: int) -> dict[str, object]:
    return {
        "id": new_id("retitem"),
        "item_id": action.line_id,
        "quantity": units,
        "reason_id": action.reason_id,
        "note": action.description,
        "metadata": action.metadata,
    }
