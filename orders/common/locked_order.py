"""Locking an order, and writing its own columns."""

from collections.abc import Mapping

from kit.database.locking import lock_row
from kit.domain.actor import SYSTEM, Actor
from kit.editing.states import VersionOutdated
from kit.reads.sql.locked_instances import locked_rows
from kit.values.text import is_storable
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.errors import OrderNotFound
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


def require_version(order: Order, version: int | None) -> None:
    """Raise VersionOutdated if the order has another version than the caller has read; None if that is unknown."""
    if version is not None and version != order.version:
        raise VersionOutdated(order)


def write(order: Order, values: Mapping[str, object]) -> None:
    """Write columns of the locked order, and increment its version. values: raw. One statement."""
    raw_rows.update(Order, [{"id": order.pk, **values, "version": order.version + 1, "updated_at": now()}])


_ORDERS = locked_rows(Order, Order.objects.not_deleted)
