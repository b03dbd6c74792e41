"""Removing a line from a cart."""

from django.db import transaction

from carts.lines.lines import find_line, remove_line
from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from kit.domain.actor import Actor


@transaction.atomic
def remove(*, actor: Actor, cart_id: str, line_id: str) -> None:
    """Remove the line, whatever its quantity.

    Raises CartNotFound, CartCompleted, LineItemNotFound (also for a removed line).
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    remove_line(cart, find_line(cart, line_id))
    refresh(cart)
