"""Adding, changing and removing a customer's addresses, under the lock of the customer's row.

Why: docs/decisions/customers.md#one-default-address-at-every-moment.
"""

from collections.abc import Mapping
from typing import Unpack

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from customers.address_details import AddressDetails, checked_address
from customers.customer_lock import lock_customer_id
from customers.default_addresses import (
    FLAGS,
    IS_DEFAULT,
    DefaultAddress,
    clear_defaults,
    default_addresses,
    flags_to_set,
)
from customers.errors import AddressNotFound, TooManyAddresses
from customers.models import CustomerAddress
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.metadata import same
from kit.values.text import is_storable
from kit.values.timestamps import now
from kit.writes import raw_rows


@transaction.atomic
def add_address(*, actor: Actor, customer_id: str, **details: Unpack[AddressDetails]) -> CustomerAddress:
    """Add an address. If it is a default, the customer's other default address loses the flag.

    Raises CustomerNotFound, TooManyAddresses, InvalidData naming the field, Forbidden.
    """
    lock_customer_id(actor=actor, customer_id=customer_id)
    if CustomerAddress.objects.not_deleted().filter(customer_id=customer_id).count() >= settings.MAX_ADDRESSES:
        raise TooManyAddresses(settings.MAX_ADDRESSES)
    address = CustomerAddress(customer_id=customer_id)
    values = checked_address(details, of=address)
    if flags := flags_to_set(address, values):
        clear_defaults(flags, holders=default_addresses(customer_id))
    for name, value in values.items():
        setattr(address, name, value)
    address.save(force_insert=True)
    report(CustomerAddress, Change.CREATED, [address])
    return address


@transaction.atomic
def change_address(
    *, actor: Actor, customer_id: str, address_id: str, **details: Unpack[AddressDetails]
) -> CustomerAddress:
    """Change the given details. If none of them differ, updated_at stays too.

    A default flag of true makes the address the customer's only default of that kind; false affects only this address.
    Raises CustomerNotFound, AddressNotFound (also for another customer's), InvalidData naming the field, Forbidden.
    """
    lock_customer_id(actor=actor, customer_id=customer_id)
    address, defaults = _address_and_defaults(customer_id, address_id)
    values = checked_address(details, of=address)
    clear_defaults(flags_to_set(address, values), holders=defaults)
    _write(address, values)
    return address


@transaction.atomic
def remove_address(*, actor: Actor, customer_id: str, address_id: str) -> None:
    """Delete the address permanently.

    Raises CustomerNotFound, AddressNotFound (also for another customer's), Forbidden.
    """
    lock_customer_id(actor=actor, customer_id=customer_id)
    address, _ = _address_and_defaults(customer_id, address_id)
    CustomerAddress.objects.filter(pk=address.pk).delete()
    report(CustomerAddress, Change.DELETED, [address])


def _address_and_defaults(customer_id: str, address_id: str) -> tuple[CustomerAddress, list[DefaultAddress]]:
    """The customer's address with that id, and their default addresses. One statement. Raises AddressNotFound."""
    rows = _OWN.read([customer_id], address_id) if is_storable(address_id) else []
    addresses = [CustomerAddress.from_db(None, _COLUMNS, row) for row in rows]
    for address in addresses:
        for flag in FLAGS:
            setattr(address, flag, bool(getattr(address, flag)))  # SQLite returns numbers
    found = next((address for address in addresses if address.pk == address_id), None)
    if found is None:
        raise AddressNotFound(address_id)
    return found, [DefaultAddress(each.pk, each.is_default_shipping, each.is_default_billing) for each in addresses]


def _write(address: CustomerAddress, values: Mapping[str, object]) -> None:
    """Set these values on the address, and write all its columns if any value differs."""
    if all(same(getattr(address, name), value) for name, value in values.items()):
        return
    for name, value in {**values, "updated_at": now()}.items():
        setattr(address, name, value)
    raw_rows.update(CustomerAddress, [{name: getattr(address, name) for name in (*_COLUMNS, "updated_at")}])
    report(CustomerAddress, Change.UPDATED, [address])


_KEPT = {"id", "customer_id", *AddressDetails.__annotations__}
_COLUMNS = tuple(field.attname for field in CustomerAddress._meta.concrete_fields if field.attname in _KEPT)
_OWN = KeyedRows(
    lambda address_id: CustomerAddress.objects.not_deleted().filter(Q(pk=address_id) | IS_DEFAULT),
    key="customer_id",
    columns=_COLUMNS,
    decoded=("metadata",),
)
