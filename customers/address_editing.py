"""Creating, changing and deleting the addresses of customers as staff do, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from customers.address_details import checked_address
from customers.default_addresses import FLAGS
from customers.models import Customer, CustomerAddress
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import remove_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from shop.models.addresses import ADDRESS_TEXTS

_CHECKED = ("address_name", *ADDRESS_TEXTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressState(RowState):
    """The desired state of an address. country_code, province: in any spelling that `checked_address` accepts."""

    customer_id: str | Absent = ABSENT
    address_name: str | Absent | None = ABSENT
    first_name: str | Absent | None = ABSENT
    last_name: str | Absent | None = ABSENT
    company: str | Absent | None = ABSENT
    address_1: str | Absent | None = ABSENT
    address_2: str | Absent | None = ABSENT
    city: str | Absent | None = ABSENT
    postal_code: str | Absent | None = ABSENT
    province: str | Absent | None = ABSENT
    country_code: str | Absent | None = ABSENT
    phone: str | Absent | None = ABSENT
    is_default_shipping: bool | Absent = ABSENT
    is_default_billing: bool | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[AddressState]) -> list[Edited[CustomerAddress]]:
    """Create and change addresses: all of them, or none. A new default replaces the customer's previous one.

    Raises NotFound, RowsRefused, Forbidden.
    """
    lock_parents(Customer, states, "customer_id", of=CustomerAddress)
    edits = RowEdits(CustomerAddress, states, actor=actor)
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        given = {name: value for name, value in state.given().items() if name in _CHECKED}
        try:
            edits.change(index, checked_address(given, of=row))
        except InvalidData as refusal:
            edits.refuse(index, next((name for name in given if f"'{name}'" in refusal.message), ""), refusal)
    for flag in FLAGS:
        _move_default(edits, flag, [index for index, state in enumerate(states) if getattr(state, flag) is True])
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Delete addresses for good, as customers do. Raises NotFound, Forbidden."""
    remove_rows(CustomerAddress, ids, actor=actor)


VERBS = RowVerbs(state=AddressState, put=put, delete=delete)


def _move_default(edits: RowEdits[CustomerAddress], flag: str, places: Sequence[int]) -> None:
    """Clear the flag on all other addresses of the customers whose addresses at these places get it.

    The stored ones lose it immediately: the unique index is checked with each row that is written later.
    """
    holders: dict[str, int] = {}
    for place in places:
        if holders.setdefault(edits.rows[place].customer_id, place) != place:
            edits.refuse(place, flag, InvalidData("Another address is already the default."))
    for index, row in enumerate(edits.rows):
        if holders.get(row.customer_id, index) != index:
            edits.change(index, {flag: False})
    stored = CustomerAddress.objects.not_deleted().filter(customer__in=holders, **{flag: True})
    if holders:
        stored.exclude(pk__in=[edits.rows[place].pk for place in holders.values()]).update(
            **{flag: False}, updated_at=now()
        )
