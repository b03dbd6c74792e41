"""Addresses of a cart that are given by their id.

Why: docs/decisions/carts.md#an-address-named-by-its-id-is-copied.
"""

from typing import cast

from carts.details.addresses import Address
from carts.models import CartAddress
from customers.models import CustomerAddress
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import InvalidData
from kit.values.text import is_storable
from shop.models.addresses import ADDRESS_TEXTS


def filled_in(given: Address, *, actor: Actor, field: str) -> Address:
    """The address; if it has an `id`, a copy of the address with that id, with the other given fields replaced.

    id: of an address in the customer's address book, or of a cart that the actor may see.
    Raises InvalidData naming the field. One statement, two for an address of a cart, none without an id.
    """
    address_id = given.get("id")
    if address_id is None:
        return given
    known = _find(address_id, actor) if is_storable(address_id) else None
    if known is None:
        raise InvalidData(missing("Address", address_id, field=field))
    stored = {name: getattr(known, name) for name in (*ADDRESS_TEXTS, "metadata")}
    return cast("Address", {**stored, **given})


def _find(address_id: str, actor: Actor) -> CustomerAddress | CartAddress | None:
    in_book: CustomerAddress | None = CustomerAddress.objects.visible_to(actor).filter(pk=address_id).first()
    return in_book or CartAddress.objects.visible_to(actor).filter(pk=address_id).first()
