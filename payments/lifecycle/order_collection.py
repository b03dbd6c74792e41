"""The payment collection of what an order still has to pay: made, changed, paid by hand and deleted.

The caller's transaction has locked the order.
Why: docs/decisions/payments.md#an-order-has-one-unpaid-collection.
"""

from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.timestamps import now
from payments.collections.collection_rows import COLLECTIONS, new_collection, new_session
from payments.collections.locked_collection import LockedCollection, read_locked, require_unpaid
from payments.errors import PaymentProviderRefused
from payments.models import PaymentCollection
from payments.movements.movements import capture_locally
from payments.requests.intents import adjust, cancel_session
from payments.requests.local_requests import authorize_locally, start_locally
from payments.states import UNPAID


def unpaid_collection(order_id: str) -> LockedCollection | None:
    """The order's collection that holds no money, locked; a payment may be announced. At most three statements."""
    found = [str(row_id) for (row_id,) in _UNPAID.read([order_id])]
    return read_locked(min(found)) if found else None


def open_for_order(order_id: str, *, amount: int, currency_code: str) -> str:
    """Have the order's unpaid collection ask for the amount, in 1/10,000, above 0. Makes one where there is none.

    Returns its id. Raises CollectionPaid while a payment of another amount is announced.
    """
    collection = unpaid_collection(order_id)
    if collection is None:
        row = new_collection(cart_id=None, order_id=order_id, amount=amount, currency_code=currency_code)
        COLLECTIONS.write([row])
        return row.id
    if collection.row.amount != amount:
        require_unpaid(collection)
        ask_for(collection, amount)
    return collection.row.id


def ask_for(collection: LockedCollection, amount: int) -> None:
    """Change the amount of an unpaid collection; sessions follow as those of a cart do.

    At 0 it is deleted, except the order's first one, which storefronts read.
    """
    if not amount and collection.row.cart_id is None:
        delete(collection)
        return
    collection.row.amount = amount
    adjust(collection)
    collection.write_rows()


def delete(collection: LockedCollection) -> None:
    """Delete an unpaid collection, and cancel its sessions. Money that still arrives for it restores it."""
    _cancel_sessions(collection)
    collection.row.deleted_at = now()
    collection.write_rows()


def pay_by_hand(collection: LockedCollection, provider_id: str, *, note: str | None, created_by: str | None) -> None:
    """Record that an unpaid collection was paid, by a local provider. Live sessions are canceled.

    note: for staff. Raises PaymentProviderRefused, ProviderUnavailable.
    """
    _cancel_sessions(collection)
    session = new_session(collection.row, provider_id, context={})
    collection.sessions.append(session)
    refusal = start_locally(collection.row, session, sent={}) or authorize_locally(collection.row, session)
    if refusal:
        raise PaymentProviderRefused(refusal)
    collection.write_rows()
    capture_locally(collection, session, note=note, created_by=created_by)


def _cancel_sessions(collection: LockedCollection) -> None:
    for session in collection.sessions:
        if session.is_cancelable:
            cancel_session(collection, session)


_UNPAID = KeyedRows(
    lambda: PaymentCollection.objects.not_deleted().filter(status__in=UNPAID, authorized_amount=0),
    key="order_id",
    columns=("id",),
)
