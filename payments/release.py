"""Releasing authorizations of an order with nothing left to pay, since goods were returned."""

from payments.intents import cancel_session
from payments.models import PaymentCollection
from payments.open_collection import open_locked


def release_authorizations(order_id: str) -> None:
    """Cancel the order's sessions of which nothing was or is being captured; providers void them.

    If a part was captured, the provider releases the rest. The caller's transaction has locked the order, and calls
    follow_payments afterwards.
    """
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    for collection_id in collections.values_list("pk", flat=True):
        collection = open_locked(collection_id)
        cancelable = [session for session in collection.sessions if session.is_cancelable]
        for session in cancelable:
            cancel_session(collection, session)
        if cancelable:
            collection.write_rows()
