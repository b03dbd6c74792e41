"""Creating payment sessions."""

from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from carts.errors import CartNotFound
from carts.open_cart import OpenCart, open_cart
from carts.refreshing import refresh
from commerce.kit.core.actor import Actor
from commerce.kit.core.json import JSONObject
from commerce.kit.core.locking import retry_on_conflict
from commerce.kit.core.metadata import checked, same
from commerce.kit.core.text import is_storable
from commerce.kit.core.timestamps import now
from commerce.kit.idempotency.replay import KeyOfAnotherRequest
from commerce.kit.projection.keyed_rows import KeyedRows
from payments.attempts import check_attempts
from payments.errors import (
    BeingCaptured,
    CollectionNotFound,
    NothingLeftToPay,
    PartiallyCaptured,
    ProviderNotEnabled,
)
from payments.intents import cancel_session, carry_out, record_intent
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.offered_providers import offered_for
from payments.provider_reports import lock_collection, update_totals
from payments.session_cancellation import amount_due, cancelable_sessions, is_being_captured, matches
from payments.states import ENDED, Act, SessionStatus


class _CartRow(NamedTuple):
    cart_id: str


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
    PartiallyCaptured, NothingLeftToPay, TooManySessions, InvalidData (data),
    ProviderRefused, ProviderUnavailable, Conflict, KeyOfAnotherRequest. Source: behaviour.md 0.13, 0.26, 6.7.
    """
    sent = checked(data, field="data") or {}
    intent = _intent_of_key(collection_id, provider_id, sent, idempotency_digest)
    if intent is None or _is_canceled(intent):
        intent = retry_on_conflict(partial(_begin, actor, collection_id, provider_id, sent, idempotency_digest))
    carry_out(intent.pk)
    return intent.session_id


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
) -> Intent:
    cart = _open(actor, collection_id)
    if provider_id not in offered_for([cart.id]).get(cart.id, ()):
        raise ProviderNotEnabled(provider_id, cart.row.region_id)
    refresh(cart)  # updates what gift cards and store credit pay: behaviour.md 0.23
    collection = lock_collection(collection_id)
    repeated = _intent_of_key(
        collection_id, provider_id, sent, idempotency_digest
    )  # by a concurrent request that held the locks before
    if repeated is not None and not _is_canceled(repeated):
        return repeated
    Intent.objects.filter(idempotency_digest=idempotency_digest, idempotency_digest__isnull=False).update(
        idempotency_digest=None
    )
    for session in cancelable_sessions(collection):
        if matches(session, collection):
            started: Intent = Intent.objects.get(session=session, act=Act.START)
            is_untried = session.status == SessionStatus.PENDING and session.provider_id == provider_id
            if repeated is not None or (is_untried and same(started.data, sent)):
                return started  # an old key keeps the newer session
        cancel_session(session)
    _require_payable(collection)
    check_attempts(collection)
    session = PaymentSession.objects.create(
        collection=collection,
        provider_id=provider_id,
        currency_id=collection.currency_id,
        amount=amount_due(collection),
        context=_context(cart),
    )
    update_totals(collection)
    return record_intent(session, Act.START, runs_now=True, data=sent, idempotency_digest=idempotency_digest)


def _require_payable(collection: PaymentCollection) -> None:
    """After cancelable sessions were canceled. Raises BeingCaptured, PartiallyCaptured, NothingLeftToPay."""
    if PaymentSession.objects.filter(collection=collection).exclude(status__in=ENDED).exists():
        raise BeingCaptured if is_being_captured(collection) else PartiallyCaptured
    if collection.captured_amount and not amount_due(collection):
        raise NothingLeftToPay


def _open(actor: Actor, collection_id: str) -> OpenCart:
    """The collection's cart, locked. Callers who may not see the cart may not pay for it."""
    for row in _CARTS.read([collection_id]) if is_storable(collection_id) else ():
        try:
            return open_cart(actor=actor, cart_id=row.cart_id)
        except CartNotFound as error:
            raise CollectionNotFound(collection_id) from error
    raise CollectionNotFound(collection_id)


def _context(cart: OpenCart) -> JSONObject:
    return {"customer": {"id": cart.row.customer_id}} if cart.row.customer_id else {}


_CARTS = KeyedRows(PaymentCollection.objects.not_deleted, key="id", row=_CartRow)
