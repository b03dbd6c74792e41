"""The place and customer that the prices, taxes and shipping options of an order depend on."""

from typing import NamedTuple

from carts.arithmetic.line_totals import goods_as_stated
from carts.pricing.cart_context import CartContext, context_of
from carts.pricing.context_rows import context_rows
from kit.reads.sql.keyed_rows import KeyedRows
from orders.models import Order, OrderLineItem


def order_context(order_id: str) -> CartContext:
    """The context of an order. One statement."""
    return context_of(_ORDERS.read([order_id]))


def order_goods(order_id: str) -> int:
    """What thresholds count of the order's kept goods, in 1/10,000. One statement."""
    return goods_as_stated(_GOODS.read([order_id]))


class _Goods(NamedTuple):
    total: int
    tax_total: int
    exempt_tax_total: int | None
    is_tax_inclusive: bool
    is_giftcard: bool


_ORDERS = context_rows(Order.objects.all, OrderLineItem.objects.not_deleted, owner="order")
_GOODS = KeyedRows(OrderLineItem.objects.not_deleted, key="order_id", row=_Goods)
