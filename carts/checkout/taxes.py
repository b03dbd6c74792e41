"""Recalculating the taxes of a cart."""

from django.db import transaction

from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from kit.domain.actor import Actor


@transaction.atomic
def calculate(*, actor: Actor, cart_id: str) -> None:
    """Refresh the prices and taxes of the cart, as every change of it does.

    Raises CartNotFound, CartCompleted, CartTotalTooLarge.
    """
    refresh(lock_open_cart(actor=actor, cart_id=cart_id))
