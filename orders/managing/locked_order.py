"""Locking an order, and writing its own columns."""

from collections.abc import Mapping

from commerce.kit.core import raw_rows
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.text import is_storable
from commerce.kit.core.timestamps import now
from orders.errors import OrderNotFound
from orders.models import Order


def lock_order(order_id: str) -> Order:
    """The order, locked until the transaction ends. Raises OrderNotFound. One statement."""
    orders = Order.objects.not_deleted().filter(pk=order_id)
    found: list[Order] = lock_rows(orders) if is_storable(order_id) else []
    if not found:
        raise OrderNotFound(order_id)
    return found[0]


def write(order: Order, values: Mapping[str, object]) -> None:
    """Write columns of the locked order, and increment its version. values: raw. One statement."""
    raw_rows.update(Order, [{"id": order.pk, **values, "version": order.version + 1, "updated_at": now()}])
