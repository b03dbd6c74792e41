"""The collection that a cart is paid by: made once, and held equal to what the cart has left to pay."""

from django.db import transaction

from carts.open_cart import OpenCart
from carts.payment import lock_payable, pay_by, payable
from commerce.kit.core import raw_rows
from commerce.kit.core.actor import Actor
from commerce.kit.core.ids import new_secret_id
from commerce.kit.core.money import major
from commerce.kit.core.timestamps import now
from commerce.kit.projection.keyed_rows import KeyedRows
from payments.errors import BeingCaptured, CartAlreadyCompleted, PaidInAnotherCurrency
from payments.intents import cancel_misfits
from payments.models import PaymentCollection
from payments.provider_reports import add_up, lock_collection
from payments.session_cancellation import is_being_captured
from payments.states import CollectionStatus


def open_collection(*, actor: Actor, cart_id: str) -> str:
    """The id of the cart's collection; it is made where there is none, for what the cart has left to pay.

    Raises CartNotFound, CartAlreadyCompleted. Source: interface.md, POST /store/payment-collections;
    behaviour.md 0.26.
    """
    cart = payable(actor, cart_id)
    return cart.payment_collection_id or _opened(cart_id)


def follow(cart: OpenCart) -> None:
    """Ask for the remaining amount of a changed cart, and cancel sessions for another amount or currency."""
    collection_id = cart.row.payment_collection_id
    if collection_id is None or cart.costs is None:
        return
    wanted = (cart.costs.cart.total, cart.row.currency_id)
    if _AMOUNTS.read([collection_id]) != [wanted]:
        _ask_for(collection_id, *wanted)


def _ask_for(collection_id: str, amount: int, currency_code: str) -> None:
    collection = lock_collection(collection_id)
    if collection.currency_id != currency_code:
        if collection.captured_amount:
            raise PaidInAnotherCurrency(collection.currency_id)
        if is_being_captured(collection):
            raise BeingCaptured
    collection.amount, collection.currency_id = major(amount), currency_code
    cancel_misfits(collection)
    add_up(collection)


@transaction.atomic
def _opened(cart_id: str) -> str:
    """Under the lock of the cart, so that its total stays until the collection follows it."""
    cart = lock_payable(cart_id)
    if cart.payment_collection_id is not None:
        return cart.payment_collection_id
    if cart.is_completed:
        raise CartAlreadyCompleted(cart_id)
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


_AMOUNTS = KeyedRows(PaymentCollection.objects.not_deleted, key="id", columns=("amount", "currency_id"))
