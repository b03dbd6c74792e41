"""Which sessions of a collection are for what is left to pay. Callers have locked the collection."""

from decimal import Decimal

from django.db.models import Exists, OuterRef

from commerce.kit.core.timestamps import now
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.states import ENDED, SESSIONS, Act, SessionStatus


def amount_due(collection: PaymentCollection) -> Decimal:
    """In major units."""
    left: Decimal = collection.amount - collection.captured_amount
    return max(left, Decimal(0))


def is_being_captured(collection: PaymentCollection) -> bool:
    """Whether a provider has not answered yet that it has taken money: nobody knows what is left to pay."""
    return Intent.objects.filter(session__collection=collection, act=Act.CAPTURE, done_at=None).exists()


def cancelable_sessions(collection: PaymentCollection) -> list[PaymentSession]:
    """Those that can be given up: nothing was captured of them, and nothing is being captured. One at most."""
    asked = Intent.objects.filter(session=OuterRef("pk"), act=Act.CAPTURE, done_at=None)
    live = PaymentSession.objects.filter(~Exists(asked), collection=collection).exclude(status__in=ENDED)
    return list(live.exclude(payment__captured_amount__gt=0))


def matches(session: PaymentSession, collection: PaymentCollection) -> bool:
    """Whether it is for what is left to pay, in that currency."""
    return (session.amount, session.currency_id) == (amount_due(collection), collection.currency_id)


def mismatched_sessions(collection: PaymentCollection) -> list[PaymentSession]:
    """Those of the live sessions that do not fit."""
    return [session for session in cancelable_sessions(collection) if not matches(session, collection)]


def mark_canceled(session: PaymentSession) -> None:
    """Show it no more. Its provider is to be told."""
    SESSIONS.check(before=session.status, after=SessionStatus.CANCELED)
    session.status = SessionStatus.CANCELED
    session.deleted_at = now()
    session.save()
