"""Which sessions of a collection match its amount due. Callers have locked the collection."""

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
    """Whether a capture is open, so that the amount due is unknown."""
    return Intent.objects.filter(session__collection=collection, act=Act.CAPTURE, done_at=None).exists()


def cancelable_sessions(collection: PaymentCollection) -> list[PaymentSession]:
    """Sessions that can be canceled: nothing was or is being captured of them. One at most."""
    capturing = Intent.objects.filter(session=OuterRef("pk"), act=Act.CAPTURE, done_at=None)
    open_sessions = PaymentSession.objects.filter(~Exists(capturing), collection=collection).exclude(status__in=ENDED)
    return list(open_sessions.exclude(payment__captured_amount__gt=0))


def matches(session: PaymentSession, collection: PaymentCollection) -> bool:
    """Whether the session is for the collection's amount due, in its currency."""
    return (session.amount, session.currency_id) == (amount_due(collection), collection.currency_id)


def mismatched_sessions(collection: PaymentCollection) -> list[PaymentSession]:
    """The cancelable sessions that do not match."""
    return [session for session in cancelable_sessions(collection) if not matches(session, collection)]


def mark_canceled(session: PaymentSession) -> None:
    """Cancel and soft-delete the session. The provider still has to be informed."""
    SESSIONS.check(before=session.status, after=SessionStatus.CANCELED)
    session.status = SessionStatus.CANCELED
    session.deleted_at = now()
    session.save()
