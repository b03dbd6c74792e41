"""Authorizing a payment session."""

from functools import partial

from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from payments.collections.collection_rows import SessionRow
from payments.collections.locked_collection import lock_session
from payments.errors import SessionNotFound
from payments.models import Intent
from payments.requests.intents import carry_out, record_intent
from payments.states import SESSIONS, Act, SessionStatus


def authorize(*, actor: Actor, session_id: str) -> None:
    """Ask the session's provider to authorize its amount; the session takes the status that the provider reports.

    Must not be called inside a transaction (RuntimeError).
    Raises SessionNotFound, NotAllowed (for the session's current status), PaymentProviderRefused, ProviderUnavailable
    (the request is retried), Forbidden, and Conflict, also while an attempt to complete the cart is under way.
    """
    actor.require("payments.change_paymentsession")
    carry_out(retry_on_conflict(partial(_begin, actor, session_id)))


@transaction.atomic(durable=True)
def _begin(actor: Actor, session_id: str) -> str:
    collection, session = lock_session(session_id)
    if session.deleted_at is not None:
        raise SessionNotFound(session_id)
    collection.require_unclosed()
    return request_authorization(session, created_by=actor.id)


def request_authorization(session: SessionRow, *, created_by: str | None = None) -> str:
    """The id of the intent to authorize a session of a locked collection, which is recorded unless one is open.

    Raises NotAllowed for the session's current status.
    """
    SESSIONS.check(before=SessionStatus(session.status), after=SessionStatus.AUTHORIZED)
    pending = Intent.objects.filter(session=session.id, act=Act.AUTHORIZE, done_at=None).first()
    return pending.pk if pending else record_intent(session.id, Act.AUTHORIZE, runs_now=True, created_by=created_by)
