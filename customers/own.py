"""Whose a customer's data are to change: their own, and that of staff with the permission."""

from commerce.core.actor import Actor
from commerce.core.locking import lock_rows
from commerce.core.text import is_storable
from customers.errors import CustomerNotFound
from customers.models import Customer


def lock_own(*, actor: Actor, customer_id: str, permission: str = "customers.change_customer") -> Customer:
    """The customer, locked until the transaction ends: whatever hangs on them is changed under this one lock.

    Raises CustomerNotFound (also for a deleted one), Forbidden for others than themselves without the permission.
    """
    if not (actor.type == "customer" and actor.id == customer_id):
        actor.demand(permission)
    found: list[Customer] = (
        lock_rows(Customer.objects.alive().filter(pk=customer_id)) if is_storable(customer_id) else []
    )
    if not found:
        raise CustomerNotFound(customer_id)
    return found[0]
