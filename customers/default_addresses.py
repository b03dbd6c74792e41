"""A customer's default addresses: at most one for shipping and one for billing."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from customers.models import CustomerAddress
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.timestamps import now
from kit.writes import raw_rows

FLAGS = ("is_default_shipping", "is_default_billing")
IS_DEFAULT = Q(is_default_shipping=True) | Q(is_default_billing=True)


class DefaultAddress(NamedTuple):
    """A default address, and what it is the default for."""

    id: str
    is_default_shipping: bool
    is_default_billing: bool


def default_addresses(customer_id: str) -> list[DefaultAddress]:
    """The customer's default addresses. One statement."""
    return [DefaultAddress(*row) for row in _DEFAULTS.read([customer_id])]


def flags_to_set(address: CustomerAddress, values: Mapping[str, object]) -> list[str]:
    """The default flags that the values would set on the address."""
    return [flag for flag in FLAGS if values.get(flag) and not getattr(address, flag)]


def clear_defaults(flags: Sequence[str], *, holders: Sequence[DefaultAddress]) -> None:
    """Clear these flags on the addresses that have them. Callers hold the customer's lock. At most one statement."""
    moment = now()
    losing = [
        {"id": holder.id, **{flag: flag not in flags and getattr(holder, flag) for flag in FLAGS}, "updated_at": moment}
        for holder in holders
        if any(getattr(holder, flag) for flag in flags)
    ]
    raw_rows.update(CustomerAddress, losing)


_DEFAULTS = KeyedRows(
    lambda: CustomerAddress.objects.not_deleted().filter(IS_DEFAULT), key="customer_id", columns=("id", *FLAGS)
)
