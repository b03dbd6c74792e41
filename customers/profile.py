"""Changing a customer's own fields."""

from collections.abc import Mapping
from typing import Unpack

from django.db import transaction

from customers.customer_lock import lock_customer
from customers.details import Details, checked_details
from customers.models import Customer
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from kit.values.metadata import merged, same


@transaction.atomic
def change_details(*, actor: Actor, customer_id: str, **details: Unpack[Details]) -> Customer:
    """Change the given fields. If none of them differ, updated_at stays too.

    Raises CustomerNotFound, InvalidData naming the field, Forbidden.
    """
    values = checked_details(**details)
    customer = lock_customer(actor=actor, customer_id=customer_id)
    if "metadata" in values:
        values["metadata"] = merged(customer.metadata, values["metadata"])
    _save_changes(customer, values)
    return customer


def _save_changes(row: Customer, values: Mapping[str, object]) -> None:
    """Set these values by attribute, and write those that differ, with updated_at."""
    differing = [name for name, value in values.items() if not same(getattr(row, name), value)]
    for name in differing:
        setattr(row, name, values[name])
    if differing:
        row.save(update_fields=[*differing, "updated_at"])
        report(Customer, Change.UPDATED, [row])
