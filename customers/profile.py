"""Changing a customer's own fields."""

from typing import Unpack

from django.db import transaction

from customers.changes import save_changes
from customers.customer_lock import lock_customer
from customers.details import Details, checked_details
from customers.models import Customer
from kit.domain.actor import Actor
from kit.values.metadata import merged


@transaction.atomic
def change_details(*, actor: Actor, customer_id: str, **details: Unpack[Details]) -> Customer:
    """Change the given fields. If none of them differ, updated_at stays too.

    Raises CustomerNotFound, InvalidData naming the field, Forbidden.
    """
    values = checked_details(**details)
    customer = lock_customer(actor=actor, customer_id=customer_id)
    if "metadata" in values:
        values["metadata"] = merged(customer.metadata, values["metadata"])
    save_changes(customer, values)
    return customer
