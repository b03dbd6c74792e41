"""Requests to local providers, which call nothing outside: they are answered inside the caller's transaction."""

from commerce.kit.core.json import JSONObject
from payments.collection_rows import SessionRow
from payments.provider_reports import record
from payments.provider_requests import send_locally
from payments.providers.base import Declined, ProviderReport
from payments.states import Act, SessionStatus

NO_REASON = "No reason given"


def start_locally(session: SessionRow, *, cart_id: str, sent: JSONObject) -> str:
    """Start a session; returns why its provider refused, or an empty text."""
    return _do(session, Act.START, cart_id=cart_id, sent=sent)


def authorize_locally(session: SessionRow, *, cart_id: str) -> str:
    """Authorize a session; returns why its provider refused, or an empty text."""
    return _do(session, Act.AUTHORIZE, cart_id=cart_id)


def cancel_locally(session: SessionRow, *, cart_id: str) -> bool:
    """Cancel a session; returns False if its provider refused, so that the background worker has to ask again."""
    try:
        report = send_locally(session, Act.CANCEL, cart_id=cart_id)
    except Declined:
        return False
    record(session, report)
    return True


def _do(session: SessionRow, act: Act, *, cart_id: str, sent: JSONObject | None = None) -> str:
    try:
        report, refusal = send_locally(session, act, cart_id=cart_id, sent=sent), ""
    except Declined as declined:
        report, refusal = ProviderReport(SessionStatus.ERROR, session.data), str(declined) or NO_REASON
    record(session, report)
    return refusal
