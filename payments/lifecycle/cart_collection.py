"""The payment collection of a cart: created once, and kept equal to the cart's amount due."""

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from carts.checkout.payment import Payable, lock_payable, pay_by, payable
from carts.errors import CartCompleted, CartNotFound
from carts.pricing.locked_cart import LockedCart
from kit.domain.actor import Actor
from kit.errors import Conflict
from kit.reads.sql.keyed_rows import KeyedRows
from payments.collections.collection_rows import COLLECTIONS, new_collection
from payments.collections.locked_collection import LockedCollection, read_locked
from payments.errors import BeingCaptured, PaidInAnotherCurrency
from payments.lifecycle.release import release
from payments.models import PaymentCollection
from payments.requests.intents import adjust


class _Due(NamedTuple):
    amount: int
    currency_code: str


def open_collection(*, actor: Actor, cart_id: str) -> str:
    """The id of the cart's collection, which is created for the cart's amount due if there is none.

    Raises CartNotFound, CartCompleted, and Conflict while an attempt to complete the cart is under way.
    Why: docs/decisions/payments.md#a-cart-has-one-collection,
    docs/decisions/carts.md#a-cart-belongs-to-its-customer.
    """
    cart = payable(actor, cart_id)
    if cart.is_closed:
        raise Conflict
    return cart.payment_collection_id or _opened(cart_id)


def follow(cart: LockedCart) -> None:
    """Set the collection to the amount due of the changed cart, and cancel sessions that no longer match.

    A cart that has lost its last line keeps none, also where nothing was due before.
    Why: docs/decisions/payments.md#an-emptied-cart-holds-no-money.
    """
    collection_id = cart.row.payment_collection_id
    if collection_id is None or cart.costs is None:
        return
    due = _Due(cart.costs.cart.total, cart.row.currency_id)
    if cart.is_emptied:
        _set_due(collection_id, due, then=release)
        return
    if cart.context is not None and cart.costs.cart == cart.context.totals and not cart.currency_changed:
        return  # the collection follows every change, so it is as the stored totals say
    if _AMOUNTS.read([collection_id]) != [due]:
        _set_due(collection_id, due, then=adjust)


def _set_due(collection_id: str, due: _Due, *, then: Callable[[LockedCollection], object]) -> None:
    collection = read_locked(collection_id)
    row = collection.row
    if row.currency_id != due.currency_code:
        if row.captured_amount:
            raise PaidInAnotherCurrency(row.currency_id)
        if collection.is_being_captured:
            raise BeingCaptured
    row.amount, row.currency_id = due
    then(collection)
    collection.write()


@transaction.atomic
def _opened(cart_id: str) -> str:
    """Under the lock of the cart, so that its total cannot change meanwhile."""
    cart = lock_payable(cart_id)
    if cart.deleted_at is not None:
        raise CartNotFound(cart_id)
    if cart.payment_collection_id is not None:
        return cart.payment_collection_id
    if cart.is_completed:
        raise CartCompleted(cart_id)
    if cart.is_closed:
        raise Conflict
    return insert_collection(cart_id, cart)


def insert_collection(cart_id: str, cart: Payable, *, order_id: str | None = None) -> str:
    """Insert the collection of a locked cart; returns its id. That of an order is completed if nothing is due."""
    collection = new_collection(
        cart_id=cart_id,
        order_id=order_id,
        amount=cart.total,
        currency_code=cart.currency_code,
        is_completed=order_id is not None and not cart.total,
    )
    COLLECTIONS.write([collection])
    pay_by(cart_id, collection.id)
    return collection.id


_AMOUNTS = KeyedRows(PaymentCollection.objects.not_deleted, key="id", row=_Due, columns=("amount", "currency_id"))
