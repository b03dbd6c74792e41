"""A payment collection that is being changed: cart, if it has one, order and collection are locked, its parts loaded.

The locks are taken in that order everywhere, so that no two transactions wait for each other.
Why: docs/decisions/orders.md#locks-are-taken-in-one-order.
"""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from carts.checkout.payment import Payable, lock_payable
from kit.errors import Conflict
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from payments.collections.collection_rows import COLLECTIONS, PAYMENTS, SESSIONS, CollectionRow, SessionRow
from payments.collections.order_steps import PAYMENT_STEPS
from payments.collections.totals import add_up
from payments.errors import (
    CollectionNotFound,
    CollectionPaid,
    NothingLeftToPay,
    PaymentNotFound,
    SessionNotFound,
)
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.states import Act, SessionStatus


@dataclass(slots=True)
class LockedCollection:
    """row: locked. sessions: in the order of their creation, without canceled ones that never had a payment.

    cart: of a transaction that has locked it here; None if its caller has, and of a collection without one.
    """

    row: CollectionRow
    sessions: list[SessionRow] = field(default_factory=list)
    cart: Payable | None = None

    @property
    def live_session(self) -> SessionRow | None:
        return next((session for session in self.sessions if session.is_live), None)

    @property
    def is_being_captured(self) -> bool:
        """Whether a capture is open, so that the amount due is unknown."""
        return any(session.is_capturing for session in self.sessions)

    @property
    def is_unpaid(self) -> bool:
        """Whether nothing of it is captured, authorized or announced."""
        holds_money = self.row.authorized_amount or self.row.has_other_currency
        return not holds_money and not any(session.is_settled for session in self.sessions)

    @property
    def follows_amount(self) -> bool:
        """Whether sessions are brought to a changed amount: not those of an order that hold money.

        Why: docs/decisions/payments.md#an-orders-session-stays-when-amounts-differ.
        """
        return not self.is_closed and (self.row.order_id is None or self.is_unpaid)

    @property
    def is_closed(self) -> bool:
        return self.cart is not None and self.cart.is_closed

    def require_unclosed(self) -> None:
        """Raise Conflict while an attempt to complete the cart is under way.

        Why: docs/decisions/orders.md#an-open-attempt-closes-its-cart.
        """
        if self.is_closed:
            raise Conflict

    def write(self) -> None:
        """Write what has changed, and let the order, if there is one, follow."""
        self.write_rows()
        if self.row.order_id is not None:
            PAYMENT_STEPS.get().recorded(self.row)

    def write_rows(self) -> None:
        """Write what has changed, with the totals and the status that follow from it.

        Money that arrives late restores a deleted collection.
        """
        add_up(self.row, self.sessions)
        if self.row.captured_amount:
            self.row.deleted_at = None
        stored = [session for session in self.sessions if not session.is_new]
        SESSIONS.write(stored)  # before new ones: only one may be live
        SESSIONS.write(self.sessions)
        PAYMENTS.write([session.payment for session in self.sessions if session.payment])
        COLLECTIONS.write([self.row])


def lock_collection(collection_id: str) -> LockedCollection:
    """The collection, locked until the transaction ends. Raises CollectionNotFound."""
    return _locked(_owner_of(collection_id))


def lock_session(session_id: str) -> tuple[LockedCollection, SessionRow]:
    """The session, and its collection, locked until the transaction ends. Raises SessionNotFound."""
    place = _place_of(session_id)
    collection = _locked(place)
    return collection, session_in(collection, session_id)


def lock_payment(payment_id: str) -> tuple[LockedCollection, SessionRow]:
    """The same for the session of a payment. Raises PaymentNotFound."""
    found = _OWNERS_OF_PAYMENTS.read([payment_id]) if is_storable(payment_id) else []
    if not found:
        raise PaymentNotFound(payment_id)
    session_id, *owner = found[0]
    collection = _locked(_Owner(*owner))
    return collection, session_in(collection, session_id)


def require_unpaid(collection: LockedCollection) -> None:
    """Raise unless the collection of an order asks for money, and holds none.

    CollectionNotFound for a deleted one, CollectionPaid, NothingLeftToPay.
    """
    if collection.row.deleted_at is not None:
        raise CollectionNotFound(collection.row.id)
    if not collection.is_unpaid:
        raise CollectionPaid
    if not collection.row.amount:
        raise NothingLeftToPay


def session_in(collection: LockedCollection, session_id: str) -> SessionRow:
    """The session with that id, also a canceled one. At most one statement."""
    for session in collection.sessions:
        if session.id == session_id:
            return session
    (session,) = _SESSION.read([session_id])
    collection.sessions.append(session)
    return session


def read_locked(collection_id: str) -> LockedCollection:
    """The same for a caller that has locked the cart, and its order if there is one. Two statements."""
    (row,) = _LOCKED.read([collection_id])
    return _with_sessions(row)


def read_collection(collection_id: str) -> LockedCollection:
    """The collection as it is now, without any lock. Two statements."""
    (row,) = _UNLOCKED.read([collection_id])
    return _with_sessions(row)


def read_locked_session(session_id: str) -> tuple[LockedCollection, SessionRow]:
    """The same as lock_session for such a caller. Raises SessionNotFound. Three statements."""
    collection = read_locked(_place_of(session_id).collection_id)
    return collection, session_in(collection, session_id)


def _owner_of(collection_id: str) -> "_Owner":
    found = _OWNERS.read([collection_id]) if is_storable(collection_id) else []
    if not found:
        raise CollectionNotFound(collection_id)
    return found[0]


def live_session_of(cart_id: str) -> SessionRow | None:
    """The live session of the cart's collection as it is now, without any lock. One statement."""
    return next((session for session in _SESSIONS_OF_CART.read([cart_id]) if session.is_live), None)


def _locked(owner: "_Owner") -> LockedCollection:
    """What a collection belongs to never changes, except that a cart becomes an order."""
    cart = None if owner.cart_id is None else lock_payable(owner.cart_id)
    if cart is None:
        PAYMENT_STEPS.get().lock_order(str(owner.order_id))
    elif cart.is_completed:
        PAYMENT_STEPS.get().lock(str(owner.cart_id))
    collection = read_locked(owner.collection_id)
    collection.cart = cart
    return collection


def _with_sessions(row: CollectionRow) -> LockedCollection:
    return LockedCollection(row, sorted(_SESSIONS.read([row.id]), key=attrgetter("id")))


def _place_of(session_id: str) -> "_Owner":
    found = _OWNERS_OF_SESSIONS.read([session_id]) if is_storable(session_id) else []
    if not found:
        raise SessionNotFound(session_id)
    return found[0]


class _Owner(NamedTuple):
    """What a collection belongs to."""

    collection_id: str
    cart_id: str | None
    order_id: str | None


def _with_requests() -> QuerySet[PaymentSession]:
    still_open = Intent.objects.filter(session=OuterRef("pk"), done_at=None)
    updating = still_open.filter(act=Act.UPDATE).order_by("-pk").values("pk")[:1]
    found: QuerySet[PaymentSession] = PaymentSession.objects.annotate(
        is_capturing=Exists(still_open.filter(act=Act.CAPTURE)), update_id=Subquery(updating)
    )
    return found


def _relevant() -> QuerySet[PaymentSession]:
    return _with_requests().filter(~Q(status=SessionStatus.CANCELED) | Q(payment__isnull=False))


def _session(*values: Any) -> SessionRow:
    session = SESSIONS.load(*values[:_WIDTH])
    payment_id, *_ = payment = values[_WIDTH:-2]
    session.payment = PAYMENTS.load(*payment) if payment_id is not None else None
    session.is_capturing, session.update_id = bool(values[-2]), values[-1]
    return session


_WIDTH = len(SESSIONS.paths)
_COLUMNS = (*SESSIONS.paths, *(f"payment__{path}" for path in PAYMENTS.paths), "is_capturing", "update_id")
_JSON = ("data", "context")
_ROWS = PaymentCollection.objects.all
_OWNER_COLUMNS = ("collection_id", "collection__cart_id", "collection__order_id")
_OWNERS = KeyedRows(_ROWS, key="id", row=_Owner, columns=("id", "cart_id", "order_id"))
_OWNERS_OF_SESSIONS = KeyedRows(PaymentSession.objects.all, key="id", row=_Owner, columns=_OWNER_COLUMNS)
_OWNERS_OF_PAYMENTS = KeyedRows(Payment.objects.not_deleted, key="id", columns=("session_id", *_OWNER_COLUMNS))
_UNLOCKED = KeyedRows(_ROWS, key="id", row=COLLECTIONS.load, columns=COLLECTIONS.paths)
_LOCKED = KeyedRows(_ROWS, key="id", row=COLLECTIONS.load, columns=COLLECTIONS.paths, locked=True)
_SESSIONS = KeyedRows(_relevant, key="collection_id", row=_session, columns=_COLUMNS, decoded=_JSON)
_SESSIONS_OF_CART = KeyedRows(_relevant, key="collection__cart_id", row=_session, columns=_COLUMNS, decoded=_JSON)
_SESSION = KeyedRows(_with_requests, key="id", row=_session, columns=_COLUMNS, decoded=_JSON)
