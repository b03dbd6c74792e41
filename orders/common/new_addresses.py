"""New addresses of orders. A stored one never changes: fulfillments refer to it."""

from carts.details.addresses import Address, checked_address
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.models import OrderAddress


def insert_address(given: Address, *, field: str) -> str:
    """Insert an address; returns its id. One statement. Raises InvalidData naming the field."""
    address_id, moment = new_id("ordaddr"), now()
    dates = {"created_at": moment, "updated_at": moment, "deleted_at": None}
    raw_rows.insert(OrderAddress, [{"id": address_id, "customer_id": None, **checked_address(given, field), **dates}])
    return address_id
