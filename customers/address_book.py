"""A customer's addresses: adding, changing and removing one, each under the lock of the customer's row.

Source: interface.md, POST /store/customers/me/addresses/{address_id}; behaviour.md 6.5, 0.22; section 9, item 16.
"""

from typing import Unpack

from django.db import transaction

from commerce.core.actor import Actor
from customers.address_details import AddressDetails, checked_address
from customers.changes import save_changes
from customers.default_addresses import make_way
from customers.errors import AddressNotFound
from customers.models import CustomerAddress
from customers.own import lock_own


@transaction.atomic
def add_address(*, actor: Actor, customer_id: str, **details: Unpack[AddressDetails]) -> CustomerAddress:
    """A new address; one that is to be a default takes that from the customer's others.

    Raises CustomerNotFound, InvalidData naming the field, Forbidden.
    """
    customer = lock_own(actor=actor, customer_id=customer_id)
    address = CustomerAddress(customer=customer)
    values = checked_address(details, of=address)
    make_way(address, values)
    for name, value in values.items():
        setattr(address, name, value)
    address.save(force_insert=True)
    return address


@transaction.atomic
def change_address(
    *, actor: Actor, customer_id: str, address_id: str, **details: Unpack[AddressDetails]
) -> CustomerAddress:
    """Change the given details; those that the address has already change nothing, not even updated_at.

    A flag that is false is taken from this address alone; true makes it the customer's only default of that kind.
    Raises CustomerNotFound, AddressNotFound (also for another customer's), InvalidData naming the field, Forbidden.
    """
    lock_own(actor=actor, customer_id=customer_id)
    address = _address(customer_id, address_id)
    values = checked_address(details, of=address)
    make_way(address, values)
    save_changes(address, values)
    return address


@transaction.atomic
def remove_address(*, actor: Actor, customer_id: str, address_id: str) -> None:
    """Delete the address for good.

    Raises CustomerNotFound, AddressNotFound (also for another customer's), Forbidden.
    """
    lock_own(actor=actor, customer_id=customer_id)
    _address(customer_id, address_id).delete()


def _address(customer_id: str, address_id: str) -> CustomerAddress:
    found = CustomerAddress.objects.alive().filter(customer_id=customer_id).with_id(address_id)
    if not isinstance(found, CustomerAddress):
        raise AddressNotFound(address_id)
    return found
