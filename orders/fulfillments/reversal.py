"""Reversing a fulfillment: its stock, reservations and counters are restored."""

from kit.domain.actor import SYSTEM, Actor
from kit.values.timestamps import now
from orders.common import events
from orders.fulfillments.locked_lines import LockedFulfillment
from orders.fulfillments.stock import restore_stock


def cancel_locked(opened: LockedFulfillment, *, actor: Actor = SYSTEM, reason: str | None = None) -> None:
    """Cancel a packed fulfillment. reason: given if its provider refused it."""
    restore_stock(opened.row, opened.items, actor=actor)
    opened.change(canceled_at=now(), canceled_by=actor.id, cancel_reason=reason)
    opened.order.adjust_counter("fulfilled_quantity", opened.units, sign=-1)
    opened.order.write()
    events.fulfillment_canceled(opened.row.order_id, opened.row.pk)
