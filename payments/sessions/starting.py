"""Creating payment sessions."""

from contextlib import suppress
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from carts.pricing.locked_cart import LockableCarts, open_with_parts
from carts.pricing.refreshing import refresh
from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.reads.sql.keyed_rows import KeyedRows
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from kit.values.json import JSONObject
from kit.values.metadata import checked, same
from kit.values.timestamps import now
from payments.collections.collection_rows import new_session
from payments.collections.locked_collection import LockedCollection, lock_collection, read_locked, require_unpaid
from payments.errors import (
    BeingCaptured,
    CollectionCanceled,
    CollectionNotFound,
    NothingLeftToPay,
    PartiallyCaptured,
    PaymentProviderRefused,
    ProviderNotEnabled,
)
from payments.models import Intent
from payments.providers.registry import is_local
from payments.requests.intent_rows import insert_intent
from payments.requests.intents import cancel_session, carry_out, record_intent
from payments.requests.local_requests import start_locally
from payments.requests.offered_providers import offered_to
from payments.requests.session_amounts import fits
from payments.requests.session_limit import check_attempts
from payments.states import Act, CollectionStatus, Result, SessionStatus


class _StartRow(NamedTuple):
    id: str
    data: JSONObject
    result: str


class _Begun(NamedTuple):
    """intent_id: of the request that the caller has to carry out; None if a local provider has answered.

    is_update: whether that changes the amount of a session that is kept.
    """

    session_id: str
    intent_id: str | None
    refusal: str = ""
    is_update: bool = False


def start_session(
    *,
    actor: Actor,
    collection_id: str,
    provider_id: str,
    data: JSONObject | None = None,
    idempotency_digest: str | None = None,
) -> str:
    """Create a session for the amount due with a provider, in place of any other session; returns its id.

    An equal session that is still pending is kept. data: for the provider.
    idempotency_digest: of the request's Idempotency-Key; a second call with it continues the first one.
    Must not be called inside a transaction (RuntimeError).
    Raises CollectionNotFound (for another customer's too), CartCompleted, ProviderNotEnabled, BeingCaptured,
    PartiallyCaptured, NothingLeftToPay, CollectionPaid, CollectionCanceled, TooManySessions, InvalidData (data),
    PaymentProviderRefused, ProviderUnavailable, Conflict, KeyOfAnotherRequest.
    Why: docs/decisions/payments.md#a-repeated-request-continues-its-intent.
    """
    sent = checked(data, field="data") or {}
    intent = _intent_of_key(collection_id, provider_id, sent, idempotency_digest)
    if intent is None or _is_canceled(intent):
        begin = partial(_begin, actor, collection_id, provider_id, sent, idempotency_digest)
        begun = retry_on_conflict(begin)
        if begun.is_update and begun.intent_id is not None:
            with suppress(PaymentProviderRefused):  # then another session takes its place
                carry_out(begun.intent_id)
            begun = retry_on_conflict(begin)
    else:
        begun = _Begun(intent.session_id, intent.pk)
    if begun.intent_id is not None:
        carry_out(begun.intent_id)
    elif begun.refusal:
        raise PaymentProviderRefused(begun.refusal)
    return begun.session_id


def _intent_of_key(
    collection_id: str, provider_id: str, sent: JSONObject, idempotency_digest: str | None
) -> Intent | None:
    """The intent that was recorded with the key, within its lifetime."""
    if idempotency_digest is None:
        return None
    recent = Intent.objects.filter(created_at__gte=now() - settings.IDEMPOTENCY_LIFETIME)
    found: Intent | None = recent.select_related("session").filter(idempotency_digest=idempotency_digest).first()
    if found is None:
        return None
    session = found.session
    if (session.collection_id, session.provider_id) != (collection_id, provider_id) or not same(found.data, sent):
        raise KeyOfAnotherRequest
    return found


def _is_canceled(intent: Intent) -> bool:
    return intent.session.status == SessionStatus.CANCELED


@transaction.atomic(durable=True)
def _begin(
    actor: Actor, collection_id: str, provider_id: str, sent: JSONObject, idempotency_digest: str | None
) -> "_Begun":
    collection, context = _opened(actor, collection_id, provider_id)
    repeated = _intent_of_key(
        collection_id, provider_id, sent, idempotency_digest
    )  # by a concurrent request that held the locks before
    if repeated is not None and not _is_canceled(repeated):
        return _Begun(repeated.session_id, repeated.pk)
    if idempotency_digest is not None:
        Intent.objects.filter(idempotency_digest=idempotency_digest).update(idempotency_digest=None)
    for session in collection.sessions:
        if not session.is_cancelable:
            continue
        if fits(collection.row, session):
            is_untried = session.status == SessionStatus.PENDING and session.provider_id == provider_id
            if repeated is not None or is_untried:  # an old key keeps the newer session
                (started,) = _STARTS.read([session.id])
                if repeated is not None or same(started.data, sent):
                    if session.update_id is not None:
                        return _Begun(session.id, session.update_id, is_update=True)
                    return _Begun(session.id, None if started.result == Result.DONE else started.id)
        cancel_session(collection, session)
    _require_payable(collection)
    check_attempts(collection_id)
    return _started(collection, context, provider_id, sent, idempotency_digest)


def _started(
    collection: LockedCollection,
    context: JSONObject,
    provider_id: str,
    sent: JSONObject,
    idempotency_digest: str | None,
) -> "_Begun":
    """Add a session. A local provider starts it immediately, for others an intent is recorded."""
    session = new_session(collection.row, provider_id, context=context)
    collection.sessions.append(session)
    if not is_local(provider_id):
        collection.write()
        intent_id = record_intent(
            session.id, Act.START, runs_now=True, data=sent, idempotency_digest=idempotency_digest
        )
        return _Begun(session.id, intent_id)
    refusal = start_locally(collection.row, session, sent=sent)
    collection.write()
    result = Result.REFUSED if refusal else Result.DONE
    insert_intent(session.id, Act.START, data=sent, idempotency_digest=idempotency_digest, result=result, error=refusal)
    return _Begun(session.id, None, refusal)


def _require_payable(collection: LockedCollection) -> None:
    """After cancelable sessions were canceled. Raises BeingCaptured, PartiallyCaptured, NothingLeftToPay."""
    if collection.live_session is not None:
        raise BeingCaptured if collection.is_being_captured else PartiallyCaptured
    if collection.row.captured_amount and not collection.row.amount_due:
        raise NothingLeftToPay


def _opened(actor: Actor, collection_id: str, provider_id: str) -> tuple[LockedCollection, JSONObject]:
    """The locked collection, and the context of its sessions. Callers who may not see the cart may not pay for it."""
    found = _CARTS.find(actor, collection_id)
    if (found is None or found.completed_at is not None) and actor.may("payments.change_paymentsession"):
        return _opened_of_order(collection_id, provider_id), {}
    if found is None:
        raise CollectionNotFound(collection_id)
    cart = open_with_parts(found)
    if provider_id not in offered_to(cart.id, None):
        raise ProviderNotEnabled(provider_id, cart.row.region_id)
    refresh(cart)  # updates what gift cards and store credit pay
    context: JSONObject = {"customer": {"id": cart.row.customer_id}} if cart.row.customer_id else {}
    return read_locked(collection_id), context


def _opened_of_order(collection_id: str, provider_id: str) -> LockedCollection:
    """Without the order's customer: whoever pays need not be that."""
    collection = lock_collection(collection_id)
    if collection.row.order_id is None:
        raise CollectionNotFound(collection_id)
    if collection.row.status == CollectionStatus.CANCELED:
        raise CollectionCanceled
    require_unpaid(collection)
    if provider_id not in offered_to(collection.row.cart_id, collection.row.order_id):
        raise ProviderNotEnabled(provider_id)
    return collection


_CARTS = LockableCarts("payment_collection__id", where=Q(payment_collection__deleted_at=None))
_STARTS = KeyedRows(lambda: Intent.objects.filter(act=Act.START), key="session_id", row=_StartRow, decoded=("data",))
