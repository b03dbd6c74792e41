"""The open exchange or claim that a verb acts on, and who may do so."""

from kit.domain.actor import Actor
from orders.changes.open_change import EDITING, GOODS, RETURNING, OpenChange, lock_change_by_id
from orders.fulfillments.errors import OrderCanceled


def require_goods(actor: Actor) -> None:
    """Raise Forbidden unless the actor may change orders, and return their units."""
    actor.require(EDITING)
    actor.require(RETURNING)


def lock_goods(change_id: str, *, actor: Actor) -> OpenChange:
    """The open exchange or claim, its order locked. Raises ChangeNotFound, ChangeEnded, OrderCanceled, Forbidden."""
    require_goods(actor)
    change = lock_change_by_id(change_id, *GOODS)
    if change.order.is_canceled:
        raise OrderCanceled(change.order.pk)
    return change
