"""The open change of an order or a draft, of which there is at most one."""

from kit.domain.actor import Actor
from kit.reads.sql.locked_instances import instances
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common import events
from orders.models import Order, OrderChange
from orders.models.order_changes import OPEN_CHANGE
from orders.states import ChangeKind, OrderChangeStatus


def open_change_of(order: Order) -> OrderChange | None:
    """The open change of the order, if there is one. One statement."""
    return open_change_with(order.pk)


def open_change_with(order_id: str) -> OrderChange | None:
    """That of the order with this id. One statement."""
    return next(iter(_OPEN.read([order_id])), None)


def open_change_of_draft(draft_id: str) -> OrderChange | None:
    """That of a draft. One statement."""
    return next(iter(_OPEN_OF_DRAFT.read([draft_id])), None)


def cancel_open_change(order: Order, actor: Actor, *kinds: ChangeKind) -> bool:
    """Cancel the open change of the locked order; returns whether there was one. At most three statements.

    kinds: of which it must be; by default any.
    """
    row = open_change_of(order)
    if row is None or (kinds and row.kind not in kinds):
        return False
    moment = now()
    status = {"status": OrderChangeStatus.CANCELED.value, "canceled_by": acting(actor), "canceled_at": moment}
    raw_rows.update(OrderChange, [{"id": row.pk, **status, "updated_at": moment}])
    if row.kind == ChangeKind.EDIT:
        events.edit_canceled(order.pk, row.pk)
    return True


def acting(actor: Actor) -> str | None:
    """The id of the staff user who acts; None for others."""
    return actor.id if actor.type == "user" else None


_OPEN, _OPEN_OF_DRAFT = (
    instances(OrderChange, lambda: OrderChange.objects.filter(OPEN_CHANGE), key=key) for key in ("order_id", "cart_id")
)
