"""The addresses of customers, as staff maintain them. They are deleted for good, as customers do."""

from collections.abc import Sequence
from typing import Any

from customers.address_details import checked_address
from customers.default_addresses import FLAGS
from customers.models import Customer, CustomerAddress
from kit.editing.deletion import remove_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.timestamps import now
from shop.models.addresses import ADDRESS_TEXTS

_CHECKED = ("address_name", *ADDRESS_TEXTS)


def _lock(states: Sequence[Any]) -> None:
    lock_parents(Customer, states, "customer_id", of=CustomerAddress)


def _check(edits: RowEdits[CustomerAddress], states: Sequence[Any]) -> None:
    """A new default replaces the customer's previous one."""
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        given = {name: value for name, value in state.given_values().items() if name in _CHECKED}
        try:
            edits.change(index, checked_address(given, of=row))
        except InvalidData as refusal:
            edits.refuse(index, next((name for name in given if f"'{name}'" in refusal.message), ""), refusal)
    for flag in FLAGS:
        _move_default(edits, flag, [index for index, state in enumerate(states) if getattr(state, flag) is True])


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


VERBS = RowVerbs(
    CustomerAddress,
    ("customer_id", *_CHECKED, *FLAGS, "metadata"),
    lock=_lock,
    check=_check,
    delete=remove_rows,
)
"""country_code, province: in any spelling that `checked_address` accepts."""
