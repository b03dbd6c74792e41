"""Canceling payment collections. The background worker informs providers."""

from django.db import transaction

from commerce.kit.core.actor import Actor
from payments.errors import BeingCaptured
from payments.intents import cancel_session
from payments.provider_reports import lock_collection, update_totals
from payments.session_cancellation import cancelable_sessions, is_being_captured
from payments.states import COLLECTIONS, CollectionStatus


@transaction.atomic
def cancel(*, actor: Actor, collection_id: str) -> None:
    """Cancel the collection and its open session.

    Raises CollectionNotFound, BeingCaptured, NotAllowed once money was captured, Forbidden.
    """
    actor.require("payments.change_paymentcollection")
    collection = lock_collection(collection_id)
    COLLECTIONS.check(before=collection.status, after=CollectionStatus.CANCELED)
    if is_being_captured(collection):
        raise BeingCaptured
    for session in cancelable_sessions(collection):
        cancel_session(session)
    collection.status = CollectionStatus.CANCELED
    update_totals(collection)
