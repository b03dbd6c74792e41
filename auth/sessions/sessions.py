"""Sessions of browsers, in the three keys that Django's own login writes.

The key for the authentication back end contains the actor type. For staff it is Django's own back end, so that one
session is valid for the API and the admin site. For other types it is the type's name, which is no back end: Django
treats their owners as anonymous, and clears the session at a staff login. Django compares the third key with
User.get_session_auth_hash(), the stamp.
Why: docs/decisions/security.md#staff-and-customers-share-one-session-cookie,
docs/decisions/security.md#customers-stay-signed-in-for-a-week.
"""

from datetime import UTC, datetime

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils import timezone

from auth.account_types.accounts import Account
from auth.account_types.actors import resolve


def open_session(request: HttpRequest, account: Account, *, until: int) -> None:
    """Start a session for the account, under a new session id. The request's previous session ends.

    until: when the token used for it expires, in seconds since 1970. A customer's session ends then; that of staff
        also after settings.SESSION_COOKIE_AGE.
    """
    session = request.session
    session.flush()
    session[SESSION_KEY] = account.identity_id
    session[BACKEND_SESSION_KEY] = _back_end(account.actor_type)
    session[HASH_SESSION_KEY] = account.stamp
    if account.actor_type == "user":
        until = min(until, int(timezone.now().timestamp()) + settings.SESSION_COOKIE_AGE)
    session.set_expiry(datetime.fromtimestamp(until, UTC))


def close_session(request: HttpRequest) -> None:
    """Delete the session."""
    request.session.flush()


def session_account(request: HttpRequest) -> Account | None:
    """The account of the request's session; None if there is no valid session. Without a cookie, no statement."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    session = request.session
    if not settings.SESSIONS_IN_REDIS or session.session_key is None:
        return _account_of_row(session)
    from auth.sessions import session_copies  # noqa: PLC0415 - its library is an extra

    account = session_copies.copied_account(session.session_key)
    if account is None:
        account = _account_of_row(session)
        if account is not None:
            session_copies.copy(session.session_key, account)
    return account


def _account_of_row(session: SessionBase) -> Account | None:
    if SESSION_KEY not in session:
        return None
    return resolve(_actor_type(session[BACKEND_SESSION_KEY]), session[SESSION_KEY], session[HASH_SESSION_KEY])


def _back_end(actor_type: str) -> str:
    return settings.AUTHENTICATION_BACKENDS[0] if actor_type == "user" else actor_type


def _actor_type(back_end: str) -> str:
    return "user" if back_end in settings.AUTHENTICATION_BACKENDS else back_end
