"""How the payment of a cart stands when the cart is to be completed."""

from dataclasses import dataclass, field
from enum import StrEnum

from payments.collections.collection_rows import SessionRow
from payments.collections.locked_collection import LockedCollection
from payments.providers.registry import is_local


class PaymentProgress(StrEnum):
    """What remains to be done.

    to_update: the session's provider changes its amount. to_authorize: it has to be asked. settled: the money is
    authorized, captured or announced, or nothing is due. partly_paid: only a part is authorized or captured, and no
    session is for the remaining amount.
    """

    NOT_INITIATED = "not_initiated"
    NO_SESSION = "no_session"
    TO_UPDATE = "to_update"
    TO_AUTHORIZE = "to_authorize"
    SETTLED = "settled"
    PARTLY_PAID = "partly_paid"


@dataclass(frozen=True, slots=True)
class SessionState:
    """The payment of a locked cart. Amounts are integers of 1/10,000 major unit.

    session_id, status, is_local: of the live session, else of the latest captured one; None and False without any.
    session_amount: what that session is for. amount_due: what remains of `total` after `captured_amount`, from which
    money that goes back is subtracted.
    """

    progress: PaymentProgress
    collection_id: str | None = None
    session_id: str | None = None
    status: str | None = None
    is_local: bool = False
    session_amount: int = 0
    amount_due: int = 0
    captured_amount: int = 0
    total: int = 0
    collection: LockedCollection | None = field(default=None, repr=False)


def state_of(collection: LockedCollection) -> SessionState:
    """The state of a locked collection, which it keeps so that it need not be read again."""
    row, session = collection.row, _session(collection)
    return SessionState(
        _progress(collection, session),
        collection_id=row.id,
        session_id=session.id if session else None,
        status=session.status if session else None,
        is_local=is_local(session.provider_id) if session else False,
        session_amount=session.amount if session else 0,
        amount_due=row.amount_due,
        captured_amount=row.captured_amount - row.returned_amount,
        total=row.amount,
        collection=collection,
    )


def _session(collection: LockedCollection) -> SessionRow | None:
    captured = [
        session for session in collection.sessions if session.status == "captured" and not _is_returned(session)
    ]
    return collection.live_session or (captured[-1] if captured else None)


def _is_returned(session: SessionRow) -> bool:
    return session.payment is not None and session.payment.is_returned


def _progress(collection: LockedCollection, session: SessionRow | None) -> PaymentProgress:
    row = collection.row
    if row.is_covered:
        return PaymentProgress.SETTLED
    if session is not None and session.is_live:
        if session.update_id is not None:
            return PaymentProgress.TO_UPDATE
        is_for_rest = (session.amount, session.currency_id) == (row.amount_due, row.currency_id)
        if is_for_rest and session.payment is None:
            return PaymentProgress.SETTLED if session.is_settled else PaymentProgress.TO_AUTHORIZE
        if session.payment is None:
            return PaymentProgress.NO_SESSION
        return PaymentProgress.PARTLY_PAID
    return PaymentProgress.PARTLY_PAID if row.captured_amount > row.returned_amount else PaymentProgress.NO_SESSION
