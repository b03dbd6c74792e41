"""Delivered orders, whose units are exchanged and claimed by forms."""

from typing import Any

from kit.domain.actor import SYSTEM
from orders.fulfillments import delivery
from orders.models import Order
from tests.orders.changes.shop import line, order_a
from tests.orders.fulfillments.shop import pack
from tests.orders.returns.shop import lines


def delivered_a(**given: Any) -> Order:
    """2 mugs at 10.00, a tee at 25.00 and post of 5.00, at 20 % on top: 60.00, captured and delivered."""
    return delivered(order_a(**given))


def delivered(order: Order) -> Order:
    """The order, delivered in a parcel for each line."""
    for place, each in enumerate(lines(order)):
        delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, *[0] * place, each.quantity).pk)
    order.refresh_from_db()
    return order


def units(order: Order, title: str) -> str:
    """The name of the field for the units of a line."""
    return f"units_{line(order, title).pk}"


def name(order: Order, title: str) -> str:
    """The line as the forms call it."""
    found = line(order, title)
    return f"{found.title} ({found.variant_title})"
