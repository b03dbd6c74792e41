"""Confirming the open change of an order: one transaction under the order's lock.

It writes what `computed` returns, and nothing else. A tax provider may be called before it.
Why: docs/decisions/order-changes.md#an-open-change-blocks-nothing.
"""

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.timestamps import now
from orders.changes.computation import ComputedOrder
from orders.changes.effects import check, effects_of, order_to_change
from orders.changes.errors import NoActions
from orders.changes.open_change import EDITING, OpenChange, lock_change
from orders.changes.order_rows import PlacedOrder
from orders.changes.stock import change_stock
from orders.changes.writing import write_order
from orders.common import events
from orders.common.added_taxes import renew_taxes
from orders.common.open_edit import acting
from orders.common.search.entries import refresh_entry
from orders.common.summary import worth
from orders.payment.settlement import settle
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
    renew_taxes(change.order, change.actions)
    before = order_to_change(change.row)
    after = effects_of(change, before)
    check(after)
    muted = carry_out(change, before, after, actor=actor, no_notification=no_notification)
    events.edit_confirmed(change.order.pk, change.row.pk, is_mailed=not muted)
    return after


def carry_out(
    change: OpenChange,
    before: PlacedOrder,
    after: ComputedOrder,
    *,
    actor: Actor,
    no_notification: bool | None,
    return_id: str | None = None,
) -> bool:
    """Write what the locked change makes of its order; returns whether the customer gets no email.

    return_id: to which inbound shipping belongs. Raises LinesOutOfStock.
    """
    # Collections, cards and accounts come last: whoever locks those of this order waits for its lock first.
    change_stock(before, write_order(change, before, after, return_id=return_id))
    muted = change.row.no_notification if no_notification is None else no_notification
    change.change(
        status=OrderChangeStatus.CONFIRMED.value,
        confirmed_by=acting(actor),
        confirmed_at=now(),
        no_notification=muted,
        total_before=worth(before.balance),
        total_after=worth(after.balance),
    )
    refresh_entry(change.order.pk)
    owed = {"pending_difference": after.pending_difference, "difference": after.difference}
    settle(change.order, **owed, is_mailed=not muted)
    return bool(muted)
