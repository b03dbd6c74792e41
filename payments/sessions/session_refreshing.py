"""Asking a provider how a payment session stands, before the session's cart is completed.

Why: docs/decisions/payments.md#the-provider-is-asked-before-completion.
"""

from functools import partial

import structlog
from django.db import transaction

from kit.database.locking import retry_on_conflict
from payments.collections.collection_rows import SessionRow
from payments.collections.locked_collection import live_session_of, lock_session
from payments.providers.base import Declined, ProviderReport
from payments.providers.registry import is_local
from payments.requests.intents import adjust
from payments.requests.provider_reports import record
from payments.requests.provider_requests import retrieve
from shop.errors import ProviderUnavailable

log = structlog.get_logger(__name__)


def session_to_refresh(cart_id: str) -> SessionRow | None:
    """The cart's live session, unless its provider is local, or our row says that it is settled. One statement."""
    session = live_session_of(cart_id)
    return None if session is None or session.is_settled or is_local(session.provider_id) else session


def refresh_session(session: SessionRow, *, cart_id: str | None) -> None:
    """Record how the session stands at its provider. Changes nothing there.

    cart_id: None of a session of an order that has no cart.

    Must not be called inside a transaction (RuntimeError). Raises ProviderUnavailable, Conflict.
    """
    report = _asked(session, cart_id=cart_id)
    if report is not None:
        retry_on_conflict(partial(_keep, session.id, report))


def _asked(session: SessionRow, *, cart_id: str | None) -> ProviderReport | None:
    try:
        return retrieve(session, cart_id=cart_id)
    except Declined:
        return None
    except ProviderUnavailable:
        raise
    except Exception as failure:
        log.exception("payment_provider_failed", provider=session.provider_id, session=session.id, act="retrieve")
        raise ProviderUnavailable(f"payment provider {session.provider_id}") from failure


@transaction.atomic(durable=True)
def _keep(session_id: str, report: ProviderReport) -> None:
    collection, session = lock_session(session_id)
    if record(collection.row, session, report):
        adjust(collection)
    collection.write()
