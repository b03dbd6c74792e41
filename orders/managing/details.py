"""Changing the details of an order: its email, addresses, locale and metadata."""

from typing import TypedDict, Unpack

from django.db import transaction

from carts.details.addresses import Address
from carts.details.details import checked_locale
from kit.domain.actor import Actor
from kit.values import email_address
from kit.values.metadata import Metadata, checked, merged, same
from orders.access.transfers.open_transfers import end, open_transfers
from orders.common import events
from orders.common.locked_order import lock_order, write
from orders.common.search.entries import refresh_entry
from orders.fulfillments.errors import OrderCanceled
from orders.managing import history
from orders.managing.addresses import delete_unused, insert_changed
from orders.models import Order
from orders.states import TransferStatus


class OrderDetails(TypedDict, total=False):
    """The fields of an order that can change; omitted ones stay."""

    email: str
    shipping_address: Address
    billing_address: Address
    locale: str | None
    metadata: Metadata | None


@transaction.atomic
def change(*, actor: Actor, order_id: str, **changes: Unpack[OrderDetails]) -> None:
    """Change the given details of an order that is not canceled. If none of them differ, nothing is written.

    Omitted fields of an address stay; metadata is merged. Taxes, prices and the customer stay: the email address only
    determines where emails of the order go. Changing it cancels requests to transfer the order.
    Raises OrderNotFound, OrderCanceled, CountryCannotChange, InvalidData naming the field, Forbidden.
    """
    actor.require("orders.change_order")
    order = lock_order(order_id)
    if order.is_canceled:
        raise OrderCanceled(order_id)
    values = _differing(order, changes) | _new_addresses(order, changes)
    if not values:
        return
    write(order, values)
    delete_unused([getattr(order, column) for column in _ADDRESSES.values() if column in values])
    if "email" in values:
        end(open_transfers(order), TransferStatus.CANCELED)
    if values.keys() & _SEARCHED:
        refresh_entry(order_id)
    events.order_updated(order_id)
    history.record(order, _message(values), actor=actor)


def _differing(order: Order, changes: OrderDetails) -> dict[str, object]:
    """The columns of email, locale and metadata that change. Raises InvalidData."""
    given: dict[str, object] = {}
    if "email" in changes:
        given["email"] = email_address.checked(changes["email"])
    if "locale" in changes:
        given["locale"] = checked_locale(changes["locale"])
    if "metadata" in changes:
        given["metadata"] = merged(order.metadata, checked(changes["metadata"]))
    return {name: value for name, value in given.items() if not same(getattr(order, name), value)}


def _new_addresses(order: Order, changes: OrderDetails) -> dict[str, object]:
    """The columns that refer to addresses that change. Raises InvalidData, CountryCannotChange."""
    new: dict[str, object] = {}
    if "shipping_address" in changes:
        new["shipping_address_id"] = insert_changed(
            order.shipping_address, changes["shipping_address"], field="shipping_address"
        )
    if "billing_address" in changes:
        new["billing_address_id"] = insert_changed(
            order.billing_address, changes["billing_address"], field="billing_address"
        )
    return {column: address_id for column, address_id in new.items() if address_id is not None}


def _message(values: dict[str, object]) -> str:
    names = (name.removesuffix("_id").replace("_", " ") for name in values)
    return f"Changed {', '.join(names)}."


_SEARCHED = {"email", "shipping_address_id", "billing_address_id"}
_ADDRESSES = {"shipping_address": "shipping_address_id", "billing_address": "billing_address_id"}
