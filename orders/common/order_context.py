"""Where an order goes and whom it is for: what prices, taxes and shipping options depend on."""

from carts.pricing.cart_context import CONTEXT_COLUMNS, CartContext, ContextRow, context_of
from kit.reads.sql.keyed_rows import KeyedRows
from orders.models import Order


def order_context(order_id: str) -> CartContext:
    """The context of an order, with the taxes of its shipping address. Two statements."""
    return context_of(_ORDERS.read([order_id]))


_ORDERS = KeyedRows(Order.objects.all, key="id", row=ContextRow.load, columns=CONTEXT_COLUMNS)
