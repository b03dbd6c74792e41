"""Authorizing a payment session."""

from functools import partial

from django.db import transaction

from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import retry_on_conflict
from commerce.kit.core.text import is_storable
from payments.errors import SessionNotFound
from payments.intents import carry_out, record_intent
from payments.models import Intent
from payments.provider_reports import lock_session
from payments.states import SESSIONS, Act, SessionStatus


def authorize(*, actor: Actor, session_id: str) -> None:
    """Ask the session's provider to authorize its amount; the session takes the status that the provider reports.

    Must not be called inside a transaction (RuntimeError).
    Raises SessionNotFound, NotAllowed (for the session's current status), ProviderRefused, ProviderUnavailable (the
    request is retried), Conflict, Forbidden.
    """
    actor.require("payments.change_paymentsession")
    carry_out(retry_on_conflict(partial(_begin, actor, session_id)).pk)


@transaction.atomic(durable=True)
def _begin(actor: Actor, session_id: str) -> Intent:
    if not is_storable(session_id):
        raise SessionNotFound(session_id)
    session = lock_session(session_id)
    if session.deleted_at is not None:
        raise SessionNotFound(session_id)
    SESSIONS.check(before=session.status, after=SessionStatus.AUTHORIZED)
    pending: Intent | None = Intent.objects.filter(session=session, act=Act.AUTHORIZE, done_at=None).first()
    return pending or record_intent(session, Act.AUTHORIZE, runs_now=True, created_by=actor.id)
