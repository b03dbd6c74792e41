"""Voiding what payments still hold once nothing is due: of an order, or of a cart that was emptied.

Why: docs/decisions/payments.md#an-orders-session-stays-when-amounts-differ,
docs/decisions/payments.md#an-emptied-cart-holds-no-money.
"""

from payments.collections.collection_rows import SessionRow
from payments.collections.locked_collection import LockedCollection, read_locked
from payments.models import Intent, PaymentCollection
from payments.providers.registry import is_local
from payments.requests.intents import cancel_session, record_intent
from payments.requests.local_requests import cancel_locally
from payments.states import Act


def release_authorizations(order_id: str) -> None:
    """Have providers void what is authorized of the order and not captured, except where a capture is open.

    The caller's transaction has locked the order, and follows the payments afterwards.
    """
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    for collection_id in collections.values_list("pk", flat=True):
        collection = read_locked(collection_id)
        if release(collection):
            collection.write_rows()


def release(collection: LockedCollection) -> bool:
    """The same for a locked collection, which the caller writes; returns whether there was anything to void."""
    held = [session for session in collection.sessions if session.is_live and not session.is_capturing]
    for session in held:
        if session.is_cancelable:
            cancel_session(collection, session)
        else:
            _release_rest(collection, session)
    return bool(held)


def _release_rest(collection: LockedCollection, session: SessionRow) -> None:
    """Ask once: many providers release the rest by themselves, and a refusal must not hold up refunds behind it."""
    if is_local(session.provider_id):
        cancel_locally(collection.row, session)
    elif not Intent.objects.filter(session=session.id, act=Act.CANCEL).exists():
        record_intent(session.id, Act.CANCEL, runs_now=False)
