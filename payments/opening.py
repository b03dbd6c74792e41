"""The payment collection of a cart: created once, and kept equal to the cart's amount due."""

from typing import NamedTuple

from django.db import transaction

from carts.errors import CartCompleted
from carts.open_cart import OpenCart
from carts.payment import lock_payable, pay_by, payable
from commerce.kit.core import raw_rows
from commerce.kit.core.actor import Actor
from commerce.kit.core.ids import new_secret_id
from commerce.kit.core.money import major
from commerce.kit.core.timestamps import now
from commerce.kit.projection.keyed_rows import KeyedRows
from payments.errors import BeingCaptured, PaidInAnotherCurrency
from payments.intents import cancel_mismatched_sessions
from payments.models import PaymentCollection
from payments.provider_reports import lock_collection, update_totals
from payments.session_cancellation import is_being_captured
from payments.states import CollectionStatus


class _Due(NamedTuple):
    amount: int
    currency_code: str


def open_collection(*, actor: Actor, cart_id: str) -> str:
    """The id of the cart's collection, which is created for the cart's amount due if there is none.

    Raises CartNotFound, CartCompleted. Source: interface.md, POST /store/payment-collections;
    behaviour.md 0.26.
    """
    cart = payable(actor, cart_id)
    return cart.payment_collection_id or _opened(cart_id)


def follow(cart: OpenCart) -> None:
    """Set the collection to the amount due of the changed cart, and cancel sessions that no longer match."""
    collection_id = cart.row.payment_collection_id
    if collection_id is None or cart.costs is None:
        return
    due = _Due(cart.costs.cart.total, cart.row.currency_id)
    if _AMOUNTS.read([collection_id]) != [due]:
        _set_due(collection_id, due)


def _set_due(collection_id: str, due: _Due) -> None:
    collection = lock_collection(collection_id)
    if collection.currency_id != due.currency_code:
        if collection.captured_amount:
            raise PaidInAnotherCurrency(collection.currency_id)
        if is_being_captured(collection):
            raise BeingCaptured
    collection.amount, collection.currency_id = major(due.amount), due.currency_code
    cancel_mismatched_sessions(collection)
    update_totals(collection)


@transaction.atomic
def _opened(cart_id: str) -> str:
    """Under the lock of the cart, so that its total cannot change meanwhile."""
    cart = lock_payable(cart_id)
    if cart.payment_collection_id is not None:
        return cart.payment_collection_id
    if cart.is_completed:
        raise CartCompleted(cart_id)
    collection_id, moment = new_secret_id("pay_col"), now()
    row = {
        "id": collection_id,
        "cart_id": cart_id,
        "currency_id": cart.currency_code,
        "amount": cart.total,
        **dict.fromkeys(("authorized_amount", "captured_amount", "refunded_amount"), 0),
        "status": CollectionStatus.NOT_PAID.value,
        **dict.fromkeys(("completed_at", "metadata", "deleted_at")),
        **dict.fromkeys(("created_at", "updated_at"), moment),
    }
    raw_rows.insert(PaymentCollection, [row])
    pay_by(cart_id, collection_id)
    return collection_id


_AMOUNTS = KeyedRows(PaymentCollection.objects.not_deleted, key="id", row=_Due, columns=("amount", "currency_id"))
