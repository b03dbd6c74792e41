"""Changing the addresses of an order.

A changed address is a new row: fulfillments refer to the address that their parcels were booked to.
"""

from collections.abc import Sequence
from typing import cast

from carts.details.addresses import Address, checked_address
from kit.values.metadata import same
from kit.writes import raw_rows
from orders.common.new_addresses import insert_address
from orders.managing.errors import CountryCannotChange
from orders.models import Fulfillment, OrderAddress
from shop.models.addresses import ADDRESS_TEXTS

_COLUMNS = (*ADDRESS_TEXTS, "metadata")


def insert_changed(stored: OrderAddress | None, given: Address, *, field: str) -> str | None:
    """Insert the stored address with the given fields replaced; returns its id, or None if nothing differs.

    Raises InvalidData naming the field, CountryCannotChange.
    """
    before = {name: getattr(stored, name, None) for name in _COLUMNS}
    wanted = cast("Address", {**before, **given})
    after = checked_address(wanted, field)
    if after["country_code"] != before["country_code"]:
        raise CountryCannotChange(f"{field}, country_code")
    return None if same(before, after) else insert_address(wanted, field=field)


def delete_unused(address_ids: Sequence[str | None]) -> None:
    """Delete addresses that the order no longer has, except those that a fulfillment refers to. Two statements.

    The erasure of a person finds addresses by their order, so none may be left behind.
    """
    former = [address_id for address_id in address_ids if address_id is not None]
    kept = set(Fulfillment.objects.filter(delivery_address__in=former).values_list("delivery_address", flat=True))
    raw_rows.delete(OrderAddress, [address_id for address_id in former if address_id not in kept])
