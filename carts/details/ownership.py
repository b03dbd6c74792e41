"""The owner of a cart."""

from django.db import transaction

from carts.errors import CartNotFound
from carts.models import Cart
from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from customers.models import Customer
from kit.domain.actor import Actor
from kit.values.timestamps import now
from kit.writes import raw_rows


@transaction.atomic
def take_over(*, actor: Actor, cart_id: str) -> None:
    """Assign a guest's cart to the signed-in customer, with their email. Their own cart is not changed.

    Raises CartNotFound, also for another customer's cart and if the actor is no customer, and CartCompleted.
    Why: docs/decisions/carts.md#a-cart-belongs-to-its-customer.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    if actor.type == "customer" and actor.id is not None and cart.row.customer_id == actor.id:
        return
    customer = Customer.objects.visible_to(actor).filter(pk=actor.id, has_account=True).first()
    if actor.type != "customer" or customer is None:
        raise CartNotFound(cart_id)
    cart.row.customer_id = customer.pk
    raw_rows.update(Cart, [{"id": cart.id, "customer_id": customer.pk, "email": customer.email, "updated_at": now()}])
    refresh(cart)
