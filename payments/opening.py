"""The collection that a cart is paid by: made once, and held equal to what the cart has left to pay."""

from django.db import transaction

from carts.circumstances import circumstances_known_to
from carts.errors import CartNotFound
from carts.models import Cart
from carts.open_cart import OpenCart
from commerce.core import raw_rows
from commerce.core.actor import Actor
from commerce.core.ids import new_secret_id
from commerce.core.money import major
from commerce.core.timestamps import now
from commerce.projection.keyed_rows import KeyedRows
from payments.cancellation import cancel_misfits
from payments.errors import CartAlreadyCompleted, CartIdNotFound, PaidInAnotherCurrency
from payments.models import PaymentCollection
from payments.standings import lock_collection, settle
from payments.states import CollectionStatus


def open_collection(*, actor: Actor, cart_id: str) -> str:
    """The id of the cart's collection; it is made where there is none, for what the cart has left to pay.

    Raises CartIdNotFound, CartAlreadyCompleted. Source: interface.md, POST /store/payment-collections;
    behaviour.md 0.26.
    """
    try:
        circumstances_known_to(actor, cart_id)
    except CartNotFound as error:
        raise CartIdNotFound(cart_id) from error
    return _collection_of(cart_id) or _opened(cart_id)


def follow(cart: OpenCart) -> bool:
    """Ask for what the changed cart has left to pay, and give up sessions that were for something else."""
    rows = _AMOUNTS.read([cart.id])
    if not rows or cart.costs is None:
        return False
    collection_id, amount, currency_code = rows[0]
    if (amount, currency_code) != (cart.costs.cart.total, cart.row.currency_id):
        _ask_for(collection_id, cart.costs.cart.total, cart.row.currency_id)
    return False


def _ask_for(collection_id: str, amount: int, currency_code: str) -> None:
    collection = lock_collection(collection_id)
    if collection.captured_amount and collection.currency_id != currency_code:
        raise PaidInAnotherCurrency(collection.currency_id)
    collection.amount, collection.currency_id = major(amount), currency_code
    cancel_misfits(collection)
    settle(collection)


def _collection_of(cart_id: str) -> str | None:
    for collection_id, *_ in _AMOUNTS.read([cart_id]):
        return str(collection_id)
    return None


@transaction.atomic
def _opened(cart_id: str) -> str:
    """Under the lock of the cart, so that its total stays until the collection follows it."""
    ((total, currency_code, completed_at),) = _LOCKED.read([cart_id])
    if completed_at is not None:
        raise CartAlreadyCompleted(cart_id)
    found = _collection_of(cart_id)
    if found is not None:
        return found
    collection_id, moment = new_secret_id("pay_col"), now()
    row = {
        "id": collection_id,
        "cart_id": cart_id,
        "currency_id": currency_code,
        "amount": total,
        **dict.fromkeys(("authorized_amount", "captured_amount", "refunded_amount"), 0),
        "status": CollectionStatus.NOT_PAID.value,
        **dict.fromkeys(("completed_at", "metadata", "deleted_at")),
        **dict.fromkeys(("created_at", "updated_at"), moment),
    }
    raw_rows.insert(PaymentCollection, [row])
    return collection_id


_AMOUNTS = KeyedRows(PaymentCollection.objects.alive, key="cart_id", columns=("id", "amount", "currency_id"))
_LOCKED = KeyedRows(Cart.objects.alive, key="id", columns=("total", "currency_id", "completed_at"), locked=True)
