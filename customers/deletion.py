"""Deleting a customer."""

from django.db import transaction

from auth.account_types.identities import delete_identity
from customers.customer_lock import lock_customer
from customers.models import Customer
from kit.domain import soft_deletion
from kit.domain.actor import Actor


@transaction.atomic
def delete_customer(*, actor: Actor, customer_id: str) -> Customer:
    """Soft-delete the customer with their addresses. Tokens and sessions end immediately, and the email is free again.

    Raises CustomerNotFound, Forbidden (also for customers themselves).
    """
    actor.require("customers.delete_customer")
    customer = lock_customer(actor=actor, customer_id=customer_id, permission="customers.delete_customer")
    soft_deletion.delete(customer, customer.addresses.all())
    delete_identity(customer_id=customer.pk)
    return customer
