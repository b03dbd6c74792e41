"""Having a cart's taxes added up again."""

from django.db import transaction

from carts.open_cart import open_cart
from carts.refreshing import refresh
from commerce.kit.core.actor import Actor


@transaction.atomic
def calculate(*, actor: Actor, cart_id: str) -> None:
    """Let the cart have the prices and taxes of this moment. Every change of it does so too.

    Raises CartNotFound, CartCompleted, CartTotalTooLarge. Source: behaviour.md 8.2.
    """
    refresh(open_cart(actor=actor, cart_id=cart_id))
