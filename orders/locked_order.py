"""Locking an order, and writing its own columns."""

from collections.abc import Mapping

from commerce.kit.core import raw_rows
from commerce.kit.core.actor import SYSTEM, Actor
from commerce.kit.core.locking import lock_row
from commerce.kit.core.text import is_storable
from commerce.kit.core.timestamps import now
from commerce.kit.projection.locked_rows import locked_rows
from orders.errors import OrderNotFound
from orders.models import Order


def lock_order(order_id: str, *, actor: Actor = SYSTEM) -> Order:
    """The order, locked until the transaction ends. Raises OrderNotFound. One statement.

    actor: who must be able to see it.
    """
    if not actor.may("orders.view_order"):
        order: Order | None = lock_row(Order.objects.visible_to(actor), order_id)
    else:
        order = next(iter(_ORDERS.read([order_id])), None) if is_storable(order_id) else None
    if order is None:
        raise OrderNotFound(order_id)
    return order


def write(order: Order, values: Mapping[str, object]) -> None:
    """Write columns of the locked order, and increment its version. values: raw. One statement."""
    raw_rows.update(Order, [{"id": order.pk, **values, "version": order.version + 1, "updated_at": now()}])


_ORDERS = locked_rows(Order, Order.objects.not_deleted)
