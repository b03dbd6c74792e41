"""What an order still has to pay: asked for by a payment collection, and recorded by hand once it has arrived.

Why: docs/decisions/payments.md#an-order-has-one-unpaid-collection.
"""

from decimal import Decimal

from django.db import transaction

from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.money import exact, major, rounded, stored
from kit.values.text import checked, is_storable
from kit.values.written_amounts import written
from orders.common.errors import OrderNotFound
from orders.common.locked_order import lock_order
from orders.common.outstanding import outstanding_of
from orders.fulfillments.errors import OrderCanceled
from orders.managing import history
from orders.managing.errors import (
    FirstCollection,
    MoreThanOutstanding,
    NotALocalProvider,
    OtherOrder,
    UnknownOrder,
    UnknownSession,
)
from orders.models import Order
from orders.payment.order_payments import follow_payments
from payments.collections.locked_collection import lock_collection, read_locked, require_unpaid
from payments.errors import CollectionNotFound
from payments.lifecycle import order_collection
from payments.models import PaymentCollection, PaymentSession
from payments.movements.refunding import LONGEST_NOTE
from payments.providers.registry import is_local
from payments.sessions import authorization
from payments.states import SessionStatus

BY_HAND = "pp_system_default"
"""The provider of payments that staff record."""
_CHANGING = "payments.change_paymentcollection"


@transaction.atomic
def create(*, actor: Actor, order_id: str, amount: Decimal) -> str:
    """Have a payment collection ask for the amount; returns its id.

    An order has one unpaid collection: an equal one is returned, and another amount replaces the former. amount: in
    major units, at most what is outstanding.
    Raises UnknownOrder, OrderCanceled, MoreThanOutstanding, InvalidData (amount), CollectionPaid, Forbidden.
    """
    actor.require(_CHANGING)
    order = _lock_open(order_id)
    asked, left = stored(exact(amount, order.currency_id)), outstanding_of(order)
    if asked <= 0:
        raise InvalidData("Field 'amount' must be greater than 0")
    if asked > left:
        raise MoreThanOutstanding(rounded(major(left), order.currency_id), order.currency_id)
    collection_id = order_collection.open_for_order(order_id, amount=asked, currency_code=order.currency_id)
    follow_payments(order_id)
    return collection_id


@transaction.atomic
def delete(*, actor: Actor, collection_id: str) -> None:
    """Delete the unpaid collection of an order; its sessions are canceled.

    Raises CollectionNotFound, CollectionPaid, NothingLeftToPay, FirstCollection, Forbidden.
    """
    actor.require(_CHANGING)
    collection = lock_collection(collection_id)
    require_unpaid(collection)
    if collection.row.cart_id is not None:
        raise FirstCollection
    order_collection.delete(collection)
    follow_payments(str(collection.row.order_id))


@transaction.atomic
def mark_as_paid(
    *, actor: Actor, collection_id: str, order_id: str, provider_id: str = BY_HAND, note: str | None = None
) -> None:
    """Record that the amount of an unpaid collection has arrived, such as by bank transfer. All of it is captured.

    The amount is read again under the locks: at most what is outstanding by then. provider_id: of a local provider.
    note: for staff, such as the reference of the transfer.
    Why: docs/decisions/payments.md#staff-record-what-arrived-outside-of-the-shop.
    Raises CollectionNotFound, OtherOrder, OrderCanceled, CollectionPaid, NothingLeftToPay, NotALocalProvider,
    InvalidData (note), PaymentProviderRefused, ProviderUnavailable, Forbidden.
    """
    actor.require("payments.add_capture")
    if note is not None:
        checked(note, field="note", longest=LONGEST_NOTE)
    if not is_local(provider_id):
        raise NotALocalProvider(provider_id)
    found = PaymentCollection.objects.with_id(collection_id)
    if found is None:
        raise CollectionNotFound(collection_id)
    if found.order_id != order_id:
        raise OtherOrder(order_id)
    order = _lock_open(order_id)
    collection = read_locked(collection_id)  # forms have locked the order before: its cart's lock must not follow
    require_unpaid(collection)
    collection.row.amount = min(collection.row.amount, outstanding_of(order))
    require_unpaid(collection)
    order_collection.pay_by_hand(collection, provider_id, note=note, created_by=actor.id)
    paid = written(major(collection.row.amount), order.currency_id)
    history.record(order, f"Marked {paid} as paid{f': {note}' if note else ''}.", actor=actor)


def authorize(*, actor: Actor, order_id: str, session_id: str) -> bool:
    """Have the provider authorize a payment session of the order; returns whether it is authorized or captured.

    The provider of a session that is so already is not asked again.
    Must not be called inside a transaction (RuntimeError).
    Raises OrderNotFound, UnknownSession, NotAllowed (for the session's status), PaymentProviderRefused,
    ProviderUnavailable, Conflict, Forbidden.
    """
    actor.require("payments.change_paymentsession")
    sessions = PaymentSession.objects.not_deleted().filter(collection__order_id=order_id, collection__deleted_at=None)
    if not is_storable(order_id) or not Order.objects.not_deleted().filter(pk=order_id).exists():
        raise OrderNotFound(order_id)
    if not is_storable(session_id) or not sessions.filter(pk=session_id).exists():
        raise UnknownSession(session_id)
    paid = sessions.filter(pk=session_id, status__in=[SessionStatus.AUTHORIZED, SessionStatus.CAPTURED])
    if not paid.exists():
        authorization.authorize(actor=actor, session_id=session_id)
    return paid.exists()


def _lock_open(order_id: str) -> Order:
    try:
        order = lock_order(order_id)
    except OrderNotFound as error:
        raise UnknownOrder(order_id) from error
    if order.is_canceled:
        raise OrderCanceled(order.pk)
    return order
