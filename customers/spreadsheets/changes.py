"""What differs between a customer as a file wants it and as it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from customers.address_details import checked_address
from customers.customer_editing import LINES
from customers.default_addresses import FLAGS
from customers.models import Customer, CustomerAddress
from kit.errors import shown
from kit.spreadsheets.declarations import Record, Values
from kit.spreadsheets.single_rows import Refusing
from kit.values.places import COUNTRIES
from shop.models.addresses import ADDRESS_TEXTS

OWN = (*LINES, "note")
_OTHER_VALUE = "Row {} of this customer has another value. Enter the same one, or leave this cell empty."
TEXTS = ("address_name", *ADDRESS_TEXTS)


@dataclass(slots=True)
class CustomerChange:
    """values: those that differ, with ids of groups. addresses: each stored one, None if new, with what differs.

    id: of the customer, once it is known.
    """

    stored: Customer | None
    values: dict[str, Any]
    addresses: list[tuple[CustomerAddress | None, dict[str, Any]]] = field(default_factory=list)
    id: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return self.stored is not None and not (self.values or self.addresses)


def change_of(record: Record, stored: Customer | None, email: str | None, groups: list[str] | None) -> CustomerChange:
    """Adds problems to the record. groups: their ids, None to leave them as they are."""
    number, first = record.rows[0]
    wanted = {name: first[name] for name in OWN if name in first} | ({"email": email} if email else {})
    values = {name: value for name, value in wanted.items() if (getattr(stored, name, None) or None) != value}
    if groups is not None and groups != sorted(group.pk for group in (stored.groups.all() if stored else ())):
        values["groups"] = groups
    change = CustomerChange(stored, values, id=stored.pk if stored else "")
    for row, given in record.rows[1:]:
        for name in (*OWN, *(each for each in given if each.startswith("group:"))):
            if given.get(name) not in (None, first.get(name)):
                record.refuse(_OTHER_VALUE.format(number), name, row)
    left = [*stored.addresses.all()] if stored else []
    for row, given in record.rows:
        _put_address(record, row, given, left, change)
    for flag in FLAGS:
        if sum(bool(given.get(f"address.{flag}")) for _, given in record.rows) > 1:
            record.refuse(
                "Only one address of a customer can be the default. Enter false in the other rows.", f"address.{flag}"
            )
    return change


def _put_address(record: Record, row: int, given: Values, left: list[CustomerAddress], change: CustomerChange) -> None:
    """left: stored addresses that no row has named yet."""
    values = {name: given[f"address.{name}"] for name in (*TEXTS, *FLAGS) if f"address.{name}" in given}
    key = given.get("address.id")
    if not key and not any(values.values()):
        return
    stored = next((one for one in left if one.pk == key), None) if key else None
    if key and stored is None:
        record.refuse(
            "This customer has no address with this id. To add an address, leave the cell empty.", "address.id", row
        )
        return
    texts = _checked(record, row, _texts(values), stored or CustomerAddress())
    if texts is None:
        return
    values = texts | {name: values[name] for name in FLAGS if values.get(name) is not None}
    stored = stored or _alike(values, left)
    if stored is not None:
        left.remove(stored)
    differing = {
        name: value for name, value in values.items() if (getattr(stored, name, None) or None) != (value or None)
    }
    if differing:
        change.addresses.append((stored, differing))


def _checked(record: Record, row: int, texts: Values, of: CustomerAddress) -> Values | None:
    """As they are stored; None if a problem was added: where the country is right, it is the province's."""
    code = texts.get("country_code")
    if code and code.strip().lower() not in COUNTRIES:
        message = f"'{shown(code)}' is not the code of a country. Enter two letters, like gb."
        record.refuse(message, "address.country_code", row)
        return None
    with Refusing(record, "address.province", row):
        return checked_address(texts, of=of)
    return None


def _texts(values: Values) -> Values:
    return {name: value for name, value in values.items() if name in TEXTS}


def _alike(values: Values, left: Sequence[CustomerAddress]) -> CustomerAddress | None:
    """The address that has these texts."""
    texts = _texts(values)
    return next((one for one in left if all((getattr(one, name) or None) == texts[name] for name in texts)), None)
