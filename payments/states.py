"""The statuses of payment sessions and collections, and the requests to providers."""

from collections.abc import Collection

from django.db.models import TextChoices

from kit.domain.transitions import Transitions


class SessionStatus(TextChoices):
    """The status of a session."""

    PENDING = "pending"
    REQUIRES_MORE = "requires_more"
    PENDING_AUTHORIZATION = "pending_authorization"
    AUTHORIZED = "authorized"
    CAPTURED = "captured"
    ERROR = "error"
    CANCELED = "canceled"


_OPEN = frozenset({"pending", "requires_more", "pending_authorization", "authorized", "error", "canceled"})
SESSIONS = Transitions(
    of="The payment session",
    allowed={
        "pending": _OPEN - {"pending"},
        "requires_more": _OPEN - {"requires_more"},
        "pending_authorization": _OPEN - {"pending_authorization"},
        # Providers let a shopper try another card in the same session.
        "error": _OPEN - {"error"},
        "authorized": frozenset({"captured", "canceled"}),
        "captured": frozenset(),
        # Money captured before the provider received the cancellation is recorded.
        "canceled": frozenset({"captured"}),
    },
)
AWAITING = frozenset({SessionStatus.PENDING, SessionStatus.REQUIRES_MORE, SessionStatus.ERROR})
"""The shopper has not confirmed the amount of such a session."""
ENDED = frozenset({SessionStatus.CAPTURED, SessionStatus.CANCELED})
"""A collection has at most one session outside of these states."""


class CollectionStatus(TextChoices):
    """The status of a collection."""

    NOT_PAID = "not_paid"
    AWAITING = "awaiting"
    AUTHORIZED = "authorized"
    PARTIALLY_AUTHORIZED = "partially_authorized"
    CANCELED = "canceled"
    FAILED = "failed"
    PARTIALLY_CAPTURED = "partially_captured"
    COMPLETED = "completed"


UNPAID = frozenset({CollectionStatus.NOT_PAID, CollectionStatus.AWAITING, CollectionStatus.FAILED})
"""The statuses of a collection that holds no money, unless it was canceled."""
_UNPAID = frozenset({"not_paid", "awaiting", "failed", "canceled", "partially_authorized", "authorized"})
_PAID = frozenset({"partially_captured", "completed"})
COLLECTIONS = Transitions(
    of="The payment collection",
    allowed={
        **{status: (_UNPAID | _PAID) - {status} for status in _UNPAID},
        # Captured money stays captured; the cart's total may change.
        "partially_captured": frozenset({"completed"}),
        "completed": frozenset({"partially_captured"}),
    },
)


def collection_status(
    *, before: CollectionStatus, amount: int, authorized: int, captured: int, sessions: Collection[SessionStatus]
) -> CollectionStatus:
    """The status that follows from the amounts, in any one unit, and from the sessions that are not canceled.

    Without money and sessions a collection is unpaid, or stays canceled.
    """
    if captured:
        return CollectionStatus.COMPLETED if captured >= amount else CollectionStatus.PARTIALLY_CAPTURED
    if SessionStatus.AUTHORIZED in sessions:
        return CollectionStatus.AUTHORIZED if authorized >= amount else CollectionStatus.PARTIALLY_AUTHORIZED
    if set(sessions) - {SessionStatus.ERROR}:
        return CollectionStatus.AWAITING
    if sessions:
        return CollectionStatus.FAILED
    return before if before == CollectionStatus.CANCELED else CollectionStatus.NOT_PAID


class Act(TextChoices):
    """The kinds of requests to a provider."""

    START = "start"
    AUTHORIZE = "authorize"
    CAPTURE = "capture"
    REFUND = "refund"
    CANCEL = "cancel"
    UPDATE = "update"


class Result(TextChoices):
    """The outcome of a request."""

    DONE = "done"
    REFUSED = "refused"
