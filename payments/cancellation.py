"""Giving up what is not to be paid, or not so. Providers hear of it from the background worker."""

from decimal import Decimal

from django.db import transaction

from commerce.core.actor import Actor
from commerce.core.timestamps import now
from payments.intents import note
from payments.models import PaymentCollection, PaymentSession
from payments.standings import lock_collection, settle
from payments.states import COLLECTIONS, ENDED, SESSIONS, Act, CollectionStatus, SessionStatus


@transaction.atomic
def cancel(*, actor: Actor, collection_id: str) -> None:
    """Give up every session of the collection that nothing was captured of.

    Raises CollectionNotFound, NotAllowed once money has come, Forbidden.
    """
    actor.demand("payments.change_paymentcollection")
    collection = lock_collection(collection_id)
    COLLECTIONS.check(before=collection.status, after=CollectionStatus.CANCELED)
    for session in live_sessions(collection):
        cancel_session(session)
    collection.status = CollectionStatus.CANCELED
    settle(collection)


def cancel_misfits(collection: PaymentCollection) -> None:
    """Give up the locked collection's sessions that are for another amount or currency than is left to pay."""
    left = left_to_pay(collection)
    for session in live_sessions(collection):
        if (session.amount, session.currency_id) != (left, collection.currency_id):
            cancel_session(session)


def left_to_pay(collection: PaymentCollection) -> Decimal:
    """In major units."""
    left: Decimal = collection.amount - collection.captured_amount
    return max(left, Decimal(0))


def live_sessions(collection: PaymentCollection) -> list[PaymentSession]:
    """Those of the locked collection that may still become money, and of which nothing was captured: one at most."""
    live = PaymentSession.objects.filter(collection=collection).exclude(status__in=ENDED)
    return list(live.exclude(payment__captured_amount__gt=0))


def cancel_session(session: PaymentSession) -> None:
    """Show it no more, and have its provider told."""
    SESSIONS.check(before=session.status, after=SessionStatus.CANCELED)
    session.status = SessionStatus.CANCELED
    session.deleted_at = now()
    session.save()
    note(session, Act.CANCEL, waits=False)
