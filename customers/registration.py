"""Creating a customer for a registration at /auth."""

from typing import Unpack

from django.db import transaction

from auth.account_types.identities import finish_registration, lock_registration
from customers.details import Details, checked_details
from customers.errors import AccountExists, AlreadyACustomer, EmailMismatch
from customers.models import Customer
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from kit.errors import Forbidden
from kit.values import email_address


@transaction.atomic
def create_customer(*, actor: Actor, email: str | None = None, **details: Unpack[Details]) -> Customer:
    """Create the customer of the actor's registration, whose tokens and sessions act for the customer from now on.

    email: the registered one, or None.
    Raises AlreadyACustomer, EmailMismatch, AccountExists, InvalidData (email, details), Forbidden for an actor without
    a registration, InvalidAuthToken if it was deleted meanwhile.
    """
    if actor.type == "customer" and actor.id is not None:
        raise AlreadyACustomer
    if actor.identity is None:
        raise Forbidden("A registration is required")
    values = checked_details(**details)
    identity = lock_registration(actor.identity)
    if identity.customer_id is not None:
        raise AlreadyACustomer
    if email is not None and email_address.checked(email) != identity.email:
        raise EmailMismatch
    if Customer.objects.not_deleted().filter(email=identity.email, has_account=True).exists():
        raise AccountExists
    customer = Customer.objects.create(email=identity.email, has_account=True, **values)
    report(Customer, Change.CREATED, [customer])
    finish_registration(identity, customer_id=customer.pk)
    return customer
