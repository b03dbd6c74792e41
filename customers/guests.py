"""Customers without an account, as staff enter them."""

from typing import Unpack

from django.db import transaction

from commerce.core import email_address
from commerce.core.actor import Actor
from customers.details import Details, checked_details
from customers.errors import GuestExists
from customers.models import Customer


@transaction.atomic
def add_guest(*, actor: Actor, email: str, **details: Unpack[Details]) -> Customer:
    """A new customer who cannot sign in. One with an account may have the same e-mail.

    Raises GuestExists, InvalidData (email, details), Forbidden.
    """
    actor.demand("customers.add_customer")
    values = checked_details(**details)
    address = email_address.checked(email)
    if Customer.objects.alive().filter(email=address, has_account=False).exists():
        raise GuestExists
    return Customer.objects.create(email=address, **values)
