"""Asking a provider how a payment session stands, before the session's cart is completed. Source: orders.md 8.5."""

from functools import partial

import structlog
from django.db import transaction

from commerce.kit.core.locking import retry_on_conflict
from commerce.shop.errors import ProviderUnavailable
from payments.collection_rows import SessionRow
from payments.intents import adjust
from payments.open_collection import cart_of, live_session_of, lock_session
from payments.provider_reports import record
from payments.provider_requests import retrieve
from payments.providers.base import Declined, ProviderReport
from payments.providers.known import is_local

log = structlog.get_logger(__name__)


def refresh_session(collection_id: str) -> None:
    """Record how the collection's live session stands at its provider, unless our row says that it is settled.

    One statement where the provider is local, or nothing is live. Changes nothing at the provider.
    Must not be called inside a transaction (RuntimeError). Raises ProviderUnavailable, Conflict.
    """
    session = live_session_of(collection_id)
    if session is None or session.is_settled or is_local(session.provider_id):
        return
    report = _asked(session, cart_id=cart_of(collection_id))
    if report is not None:
        retry_on_conflict(partial(_keep, session.id, report))


def _asked(session: SessionRow, *, cart_id: str) -> ProviderReport | None:
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
    if record(session, report):
        adjust(collection)
    collection.write()
