"""What completing a cart asks of its payments.

The functions are called inside a transaction of the caller, which has locked the cart, and its order if there is one;
except for `session_to_refresh`, `refresh_session` and `bring_to_amount`. Amounts are integers of 1/10,000 major unit.
Why: docs/decisions/payments.md#an-order-without-payment-has-a-collection,
docs/decisions/orders.md#money-without-an-order-is-refunded.
"""

from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from typing import NamedTuple

from carts.checkout.payment import lock_payable
from carts.pricing.locked_cart import LockedCart
from payments.collections.collection_rows import SessionRow
from payments.collections.locked_collection import (
    LockedCollection,
    live_session_of,
    read_locked,
    read_locked_session,
    session_in,
)
from payments.collections.totals import add_up
from payments.collections.unclaimed_money import take_all, take_excess
from payments.errors import PaymentProviderRefused
from payments.lifecycle.cart_collection import insert_collection
from payments.models import Intent
from payments.requests.intents import OVERPAID, cancel_session, carry_out, owe_refunds
from payments.requests.local_requests import NO_REASON, authorize_locally
from payments.sessions.authorization import request_authorization
from payments.sessions.session_refreshing import refresh_session, session_to_refresh
from payments.sessions.session_states import PaymentProgress, SessionState, state_of
from payments.states import Act, SessionStatus

__all__ = [
    "AuthorizationOutcome",
    "Outcome",
    "PaymentProgress",
    "SessionState",
    "authorization_outcome",
    "authorize_in_transaction",
    "begin_authorization",
    "bind_to_order",
    "bring_to_amount",
    "owe_refund",
    "refresh_session",
    "release_session",
    "session_for",
    "session_to_refresh",
]


class Outcome(StrEnum):
    """How a request to authorize a session ended. unknown: the provider has not answered; the worker asks again."""

    SETTLED = "settled"
    REFUSED = "refused"
    REQUIRES_MORE = "requires_more"
    UNKNOWN = "unknown"


class AuthorizationOutcome(NamedTuple):
    """reason: why the provider refused."""

    outcome: Outcome
    reason: str = ""


def session_for(cart: LockedCart) -> SessionState:
    """How the payment of the cart stands; its collection is locked from then on. Two statements."""
    collection_id = cart.row.payment_collection_id
    if collection_id is None:
        return SessionState(PaymentProgress.NOT_INITIATED)
    return state_of(read_locked(collection_id))


def bring_to_amount(cart_id: str) -> bool:
    """Have the cart's live session brought to the amount due, where that has begun; returns whether there is one.

    Must not be called inside a transaction (RuntimeError). Raises ProviderUnavailable, Conflict.
    """
    session = live_session_of(cart_id)
    if session is None:
        return False
    begun = Intent.objects.filter(session=session.id, act__in=[Act.START, Act.UPDATE], done_at=None)
    intent_id = begun.order_by("-pk").values_list("pk", flat=True).first()
    if intent_id is None:
        return True
    with suppress(PaymentProviderRefused):  # then another session takes its place, or it shows the refusal
        carry_out(intent_id)
    return live_session_of(cart_id) is not None


def authorize_in_transaction(state: SessionState) -> SessionState:
    """Have the local provider of the state's session authorize it; returns the new state, for `bind_to_order`.

    That writes the collection, so that it is written once.
    Raises PaymentProviderRefused, and ValueError for a provider that is not local.
    """
    collection = state.collection
    if collection is None or state.session_id is None or not state.is_local:
        raise ValueError(f"{state.session_id} has no local provider")
    refusal = authorize_locally(collection.row, session_in(collection, state.session_id))
    if refusal:
        raise PaymentProviderRefused(refusal)
    add_up(collection.row, collection.sessions)
    return state_of(collection)


def begin_authorization(session_id: str, *, created_by: str | None = None) -> str:
    """Record the request to authorize the session; returns the intent's id, for `intents.carry_out` after the commit.

    Raises NotAllowed for the session's current status.
    """
    _, session = read_locked_session(session_id)
    return request_authorization(session, created_by=created_by)


def authorization_outcome(session_id: str) -> AuthorizationOutcome:
    """How the request to authorize the session ended."""
    collection, session = read_locked_session(session_id)
    if session.is_settled:
        if collection.row.is_covered or session.status == SessionStatus.PENDING_AUTHORIZATION:
            return AuthorizationOutcome(Outcome.SETTLED)
        return AuthorizationOutcome(Outcome.REFUSED, "Only a part of the amount was authorized")
    latest = Intent.objects.filter(session=session_id, act=Act.AUTHORIZE).order_by("-pk").first()
    if latest is not None and latest.done_at is None:
        return AuthorizationOutcome(Outcome.UNKNOWN)
    if session.status in (SessionStatus.PENDING, SessionStatus.REQUIRES_MORE):
        return AuthorizationOutcome(Outcome.REQUIRES_MORE)
    return AuthorizationOutcome(Outcome.REFUSED, latest.error if latest is not None and latest.error else NO_REASON)


def release_session(session_id: str) -> None:
    """Cancel the session of an attempt that has ended; nothing if it has ended itself, or money was captured of it."""
    collection, session = read_locked_session(session_id)
    _cancel(collection, [session])
    collection.write()


def owe_refund(collection_id: str, reason: str) -> bool:
    """Give back the money of a cart that gets no order: void what is authorized, and refund what is captured.

    The background worker asks the providers until they have done it; staff see open refunds. The cart can then be paid
    again. reason: the refunds' note. Returns whether there was any money.
    """
    collection = read_locked(collection_id)
    voided = [session for session in collection.sessions if session.is_live and (session.is_settled or session.payment)]
    is_refunded = owe_refunds(take_all(collection), reason)
    for session in voided:
        cancel_session(collection, session)
    collection.write()
    return is_refunded or bool(voided)


def bind_to_order(cart_id: str, order_id: str, total: int, *, state: SessionState | None = None) -> str:
    """Make the cart's collection that of the order, which has to pay `total`; returns the collection's id.

    A cart without a collection gets one of which nothing is due. A session that it does not need is canceled, and
    money beyond the total is refunded. The step `recorded` is not called: the caller knows its order.
    state: the one that this transaction has read last, which saves three statements; it is written here.
    """
    cart = None if state is not None and state.collection is not None else lock_payable(cart_id)
    if cart is not None and cart.payment_collection_id is None:
        return insert_collection(cart_id, cart._replace(total=total), order_id=order_id)
    collection = _collection(state, cart.payment_collection_id if cart else None)
    row = collection.row
    row.order_id, row.amount = order_id, total
    if row.is_covered:
        _cancel(collection, [session for session in collection.sessions if not session.is_settled])
    owe_refunds(take_excess(collection), OVERPAID)
    collection.write_rows()
    return row.id


def _collection(state: SessionState | None, collection_id: str | None) -> LockedCollection:
    if state is not None and state.collection is not None:
        return state.collection
    if collection_id is None:
        raise ValueError("The cart has no collection")
    return read_locked(collection_id)


def _cancel(collection: LockedCollection, sessions: Iterable[SessionRow]) -> None:
    for session in sessions:
        if session.is_cancelable:
            cancel_session(collection, session)
