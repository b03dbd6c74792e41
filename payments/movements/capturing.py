"""Capturing authorized money."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial

from kit.domain.actor import Actor
from kit.values.money import major, stored
from payments.collections.collection_rows import CollectionRow, SessionRow
from payments.collections.locked_collection import read_collection, read_locked, session_in
from payments.collections.order_steps import PAYMENT_STEPS
from payments.errors import NothingToCapture
from payments.models import Payment, PaymentCollection
from payments.movements.movements import captures_under_way, move, pending_amount, record_movement
from payments.requests.intents import record_intent
from payments.states import Act


def capture(
    *,
    actor: Actor,
    payment_id: str,
    amount: Decimal | None = None,
    idempotency_digest: str | None = None,
    confirm: Callable[[], None] | None = None,
) -> None:
    """Have the provider capture the amount, by default the whole remaining amount.

    amount: in major units of the payment's currency. idempotency_digest: a second call with the same does nothing.
    confirm: called once the payment is locked; whatever it raises ends the call before money moves.
    Must not be called inside a transaction (RuntimeError).
    Raises PaymentNotFound, NothingToCapture, InvalidData (amount), CaptureUnderWay, PaymentProviderRefused,
    ProviderUnavailable, Conflict, KeyOfAnotherRequest, AmountChanged, Forbidden. A request to a provider that is not
    local is retried after ProviderUnavailable.
    """
    actor.require("payments.add_capture")
    record = partial(
        record_movement,
        Act.CAPTURE,
        actor=actor,
        payment_id=payment_id,
        amount=amount,
        available=_capturable,
        too_much=NothingToCapture,
        idempotency_digest=idempotency_digest,
        confirm=confirm,
    )
    move(record)


def capture_of_order(order_id: str) -> None:
    """Record the capture of all that the order's payments have authorized, for the background worker.

    For a caller whose transaction has locked the order. Repeating it records nothing again.
    """
    for collection_id in _collection_ids(order_id):
        collection = read_locked(collection_id)
        for session in collection.sessions:
            amount = _capturable(collection.row, session, _pending(session))
            if amount > 0:
                record_intent(session.id, Act.CAPTURE, runs_now=False, amount=major(amount))


def captures_of_order(order_id: str) -> list[Decimal]:
    """The amounts that `capture_of_order` would record now, in major units. Without any lock."""
    left, amounts = stored(PAYMENT_STEPS.get().due(order_id)) - captures_under_way(order_id), []
    for collection in map(read_collection, _collection_ids(order_id)):
        for session in collection.sessions:
            amounts.append(min(_capturable(collection.row, session, _pending(session)), left))
            left -= amounts[-1]
    return [major(amount) for amount in amounts if amount > 0]


def _collection_ids(order_id: str) -> list[str]:
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    return list(collections.values_list("pk", flat=True))


def capturable_amount(payment: Payment) -> Decimal:
    """In major units, less what is being captured; 0 for a canceled payment. As it is now, without any lock.

    At most the amount due of the collection, which other payments may have reduced, and of its order, which returns may
    have reduced, less what is being captured of the order's other payments.
    """
    collection = read_collection(payment.collection_id)
    session = session_in(collection, payment.session_id)
    return major(_capturable(collection.row, session, _pending(session)))


def _capturable(collection: CollectionRow, session: SessionRow, pending: int) -> int:
    """The same in 1/10,000. pending: what is being captured."""
    payment = session.payment
    if payment is None or payment.canceled_at is not None or session.deleted_at is not None:
        return 0
    left = min(payment.authorized_amount - payment.captured_amount, collection.amount_due) - pending
    if collection.order_id is not None:
        due = stored(PAYMENT_STEPS.get().due(collection.order_id))
        left = min(left, due - captures_under_way(collection.order_id))
    return max(left, 0)


def _pending(session: SessionRow) -> int:
    return pending_amount(session.id, Act.CAPTURE) if session.is_capturing else 0
