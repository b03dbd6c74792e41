"""Confirming the open change of an order: one transaction under the order's lock.

It writes what `computed` returns, and nothing else. No provider is called.
Why: docs/decisions/order-changes.md#an-open-change-blocks-nothing.
"""

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.timestamps import now
from orders.changes.computation import ComputedOrder
from orders.changes.effects import check, effects_of
from orders.changes.errors import NoActions
from orders.changes.open_change import EDITING, OpenChange, lock_change
from orders.changes.placed_orders import placed_order
from orders.changes.settlement import settle
from orders.changes.stock import change_stock
from orders.changes.writing import write_order
from orders.common import events
from orders.common.open_edit import acting
from orders.common.search.entries import refresh_entry
from orders.states import OrderChangeStatus


@transaction.atomic
def confirm(
    *, actor: Actor, order_id: str, version: int | None = None, no_notification: bool | None = None
) -> ComputedOrder:
    """Confirm the open change of the order: its lines, shipping, totals, stock and statuses change at once.

    What the customer then owes is asked for by the order's unpaid payment collection; what is owed to the customer
    waits for a refund. version: of the order, if the caller knows it. no_notification: whether the customer gets no
    email; None for what the request of the change said.
    Raises OrderNotFound, OrderCanceled, OrderClosed, VersionOutdated, NoOpenChange, NoActions, the refusals of
    `computed`, LinesOutOfStock, InvalidData (the total), Forbidden.
    """
    actor.require(EDITING)
    change = lock_change(order_id, version=version)
    return confirm_locked(change, actor=actor, no_notification=no_notification)


def confirm_locked(change: OpenChange, *, actor: Actor, no_notification: bool | None) -> ComputedOrder:
    """Confirm the locked change; returns what it has made of the order.

    The number of statements does not depend on those of lines and actions.
    """
    if not change.actions:
        raise NoActions
    order_id = change.order.pk
    before = placed_order(order_id, with_facts=bool(change.row.carry_over_promotions))
    after = effects_of(change, before)
    check(after)
    # Collections, cards and accounts come last: whoever locks those of this order waits for its lock first.
    change_stock(before, write_order(change, before, after))
    muted = change.row.no_notification if no_notification is None else no_notification
    moment, worth = now(), after.totals.item_total + after.totals.shipping_total
    change.change(
        status=OrderChangeStatus.CONFIRMED.value,
        confirmed_by=acting(actor),
        confirmed_at=moment,
        no_notification=muted,
        total_before=worth - after.difference,
        total_after=worth,
    )
    refresh_entry(order_id)
    settle(change.order, pending_difference=after.pending_difference, difference=after.difference)
    events.edit_confirmed(order_id, change.row.pk, is_mailed=not muted)
    return after
