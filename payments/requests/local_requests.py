"""Requests to local providers, which call nothing outside: they are answered inside the caller's transaction."""

from kit.values.json import JSONObject
from payments.collections.collection_rows import CollectionRow, SessionRow
from payments.providers.base import Declined, ProviderReport
from payments.requests.provider_reports import record
from payments.requests.provider_requests import send_locally
from payments.states import Act, SessionStatus

NO_REASON = "No reason given"


def start_locally(collection: CollectionRow, session: SessionRow, *, sent: JSONObject) -> str:
    """Start a session; returns why its provider refused, or an empty text."""
    return _do(collection, session, Act.START, sent=sent)


def restart_locally(collection: CollectionRow, session: SessionRow, *, sent: JSONObject) -> str:
    """Start a session again, for its new amount: what its provider keeps of it is in the data alone."""
    session.data = {}
    return _do(collection, session, Act.START, sent=sent)


def authorize_locally(collection: CollectionRow, session: SessionRow) -> str:
    """Authorize a session; returns why its provider refused, or an empty text."""
    return _do(collection, session, Act.AUTHORIZE)


def cancel_locally(collection: CollectionRow, session: SessionRow) -> bool:
    """Cancel a session; returns False if its provider refused, so that the background worker has to ask again."""
    try:
        report = send_locally(session, Act.CANCEL, cart_id=collection.cart_id)
    except Declined:
        return False
    record(collection, session, report)
    return True


def _do(collection: CollectionRow, session: SessionRow, act: Act, *, sent: JSONObject | None = None) -> str:
    try:
        report, refusal = send_locally(session, act, cart_id=collection.cart_id, sent=sent), ""
    except Declined as declined:
        report, refusal = ProviderReport(SessionStatus.ERROR, session.data), str(declined) or NO_REASON
    record(collection, session, report)
    return refusal
