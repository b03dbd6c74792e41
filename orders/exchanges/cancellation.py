"""Canceling a confirmed exchange or claim, before anything of it has moved."""

from collections.abc import Sequence

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.computation import computed
from orders.changes.effects import check
from orders.changes.open_change import GOODS, OpenChange, known_change, stored_actions
from orders.changes.order_rows import Action, PlacedOrder, RemoveMethod, UndoUnits, UpdateItem
from orders.changes.placed_orders import placed_order
from orders.changes.stock import change_stock
from orders.changes.writing import write_order
from orders.common import events
from orders.common.locked_order import lock_order
from orders.common.open_edit import acting
from orders.common.search.entries import refresh_entry
from orders.exchanges.errors import AddedUnitsFulfilled, AlreadyCanceled, NotConfirmed
from orders.exchanges.open_goods import require_goods
from orders.fulfillments.errors import OrderCanceled
from orders.models import Order, OrderChange, Return, ReturnItem
from orders.payment.settlement import settle
from orders.returns.errors import ReceiptBegun
from orders.states import ChangeAction, OrderChangeStatus, ReturnStatus


@transaction.atomic
def cancel(*, actor: Actor, change_id: str, no_notification: bool | None = None) -> None:
    """Cancel a confirmed exchange or claim of which nothing came back and nothing was packed.

    Its returns, lines and shipping go, stock is released, and the unpaid collection asks for no more than what is
    outstanding then. What was paid for it is owed to the customer; what was refunded is owed by the customer again.
    no_notification: kept with the change; None for what it said before. Nobody gets an email about the cancellation,
        but about its documents unless it is true.
    Raises ChangeNotFound, NotConfirmed, AlreadyCanceled, OrderCanceled, ReceiptBegun, AddedUnitsFulfilled, Forbidden.
    """
    require_goods(actor)
    change = _locked(change_id)
    before, returns = placed_order(change.order.pk), _returns_of(change.row)
    after = computed(before, [*_undone_lines(change, before), *_undone_units(returns)], of_edit=False)
    check(after)
    _cancel_returns(returns, actor)
    change_stock(before, write_order(change, before, after))
    muted = change.row.no_notification if no_notification is None else no_notification
    ended = {"canceled_by": acting(actor), "canceled_at": now(), "no_notification": muted}
    change.change(status=OrderChangeStatus.CANCELED.value, **ended)
    refresh_entry(change.order.pk)
    owed = {"pending_difference": after.pending_difference, "difference": after.difference}
    settle(change.order, **owed, is_mailed=not muted)
    events.goods_change_canceled(change.order.pk, change.row.pk, change.row.kind)


def _locked(change_id: str) -> OpenChange:
    """The confirmed change, its order locked."""
    known = known_change(change_id, *GOODS)
    order: Order = lock_order(str(known.order_id))
    row = OrderChange.objects.get(pk=known.pk)  # as it is under the lock
    if row.status == OrderChangeStatus.CANCELED:
        raise AlreadyCanceled(row.kind)
    if row.status != OrderChangeStatus.CONFIRMED:
        raise NotConfirmed(row.kind)
    if order.is_canceled:
        raise OrderCanceled(order.pk)
    return OpenChange(row, stored_actions(row.pk), order)


def _returns_of(row: OrderChange) -> Sequence[Return]:
    """Those that staff have not canceled. Raises ReceiptBegun."""
    living = Return.objects.not_deleted().filter(change=row).exclude(status=ReturnStatus.CANCELED)
    returns = list(living.prefetch_related("items"))
    if any(each.status != ReturnStatus.REQUESTED and not each.is_written_off for each in returns):
        raise ReceiptBegun
    return returns


def _undone_lines(change: OpenChange, before: PlacedOrder) -> list[Action]:
    """What removes the added lines and shipping that are still there. Raises AddedUnitsFulfilled."""
    added = {action.line_id for action in change.actions if action.action == ChangeAction.ITEM_ADD}
    methods = {action.method_id for action in change.actions}
    undone: list[Action] = [RemoveMethod(each.id) for each in before.methods if each.id in methods]
    for line in before.lines:
        if line.id in added:
            if line.fulfilled_quantity:
                raise AddedUnitsFulfilled(change.row.kind, f"{line.id} - {line.title}")
            undone.append(UpdateItem(line.id, 0))
    return undone


def _undone_units(returns: Sequence[Return]) -> list[Action]:
    returned: dict[str, int] = {}
    written_off: dict[str, int] = {}
    for each in returns:
        for item in each.items.all():
            (written_off if each.is_written_off else returned)[item.item_id] = item.quantity
    line_ids = dict.fromkeys((*returned, *written_off))
    return [UndoUnits(line_id, returned.get(line_id, 0), written_off.get(line_id, 0)) for line_id in line_ids]


def _cancel_returns(returns: Sequence[Return], actor: Actor) -> None:
    """At most two statements."""
    moment = now()
    status = {"status": ReturnStatus.CANCELED.value, "received_at": None, "canceled_by": actor.id}
    dates = {"canceled_at": moment, "updated_at": moment}
    raw_rows.update(Return, [{"id": each.pk, **status, **dates} for each in returns])
    off = [item.pk for each in returns if each.is_written_off for item in each.items.all()]
    raw_rows.update(ReturnItem, [{"id": item_id, "damaged_quantity": 0, "updated_at": moment} for item_id in off])
