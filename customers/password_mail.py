"""Sending customers an email to set a new password."""

from django.db import transaction

from auth.passwords.password_reset import queue_reset_mail
from customers.customer_lock import lock_customer
from customers.errors import CustomerHasNoLogin
from customers.models import Customer
from kit.domain.actor import Actor


@transaction.atomic
def send_password_mail(*, actor: Actor, customer_id: str) -> Customer:
    """Send an email that lets the customer set a new password. The current password stays valid until then.

    Raises CustomerNotFound, CustomerHasNoLogin, Forbidden.
    """
    actor.require("customers.change_customer")
    customer = lock_customer(actor=actor, customer_id=customer_id)
    if not customer.has_account or customer.email is None:
        raise CustomerHasNoLogin
    queue_reset_mail(actor_type="customer", email=customer.email, is_one_of_many=True)
    return customer
