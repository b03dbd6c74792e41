"""Canceling payment collections. The background worker informs providers."""

from django.db import transaction

from kit.domain.actor import Actor
from payments.collections.locked_collection import lock_collection
from payments.errors import BeingCaptured, CollectionOfOrder
from payments.requests.intents import cancel_session
from payments.states import COLLECTIONS, CollectionStatus


@transaction.atomic
def cancel(*, actor: Actor, collection_id: str) -> None:
    """Cancel the collection and its open session.

    Raises CollectionNotFound, BeingCaptured, NotAllowed once money was captured, CollectionOfOrder, Forbidden, and
    Conflict while an attempt to complete the cart is under way.
    """
    actor.require("payments.change_paymentcollection")
    collection = lock_collection(collection_id)
    collection.require_unclosed()
    if collection.row.order_id is not None:
        raise CollectionOfOrder
    before = CollectionStatus(collection.row.status)
    COLLECTIONS.check(before=before, after=CollectionStatus.CANCELED)
    if collection.is_being_captured:
        raise BeingCaptured
    for session in collection.sessions:
        if session.is_cancelable:
            cancel_session(collection, session)
    collection.row.status = CollectionStatus.CANCELED.value
    collection.write()
