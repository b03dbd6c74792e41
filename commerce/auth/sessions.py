"""Sessions: a signed-in browser. The three keys that Django's own login writes say whose session it is.

The back end's name tells the actor type. For staff it is Django's own, so that one session opens the API and the admin
site. Any other type stands there by its own name, which is no back end: to Django its owner is anonymous, and a staff
login into that session empties it first. Django compares the third key with User.get_session_auth_hash(), the stamp.
Source: behaviour.md 0.9.
"""

from datetime import UTC, datetime

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest
from django.utils import timezone

from commerce.auth.accounts import Account
from commerce.auth.actors import resolve


def open_session(request: HttpRequest, account: Account, *, until: int) -> None:
    """Make the request's session the account's, under a new session id; whoever had it before is signed out.

    until: the end of the token that it was made from, in seconds since 1970; the session does not outlive it.
    """
    session = request.session
    session.flush()
    session[SESSION_KEY] = account.identity_id
    session[BACKEND_SESSION_KEY] = _back_end(account.actor_type)
    session[HASH_SESSION_KEY] = account.stamp
    own_end = timezone.now().timestamp() + settings.SESSION_COOKIE_AGE
    session.set_expiry(datetime.fromtimestamp(min(own_end, until), UTC))


def close_session(request: HttpRequest) -> None:
    """Sign the session's owner out and forget the session."""
    request.session.flush()


def session_account(request: HttpRequest) -> Account | None:
    """Whose session the request came with; None without one, and when it is dead. No cookie, no look-up."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    session = request.session
    if SESSION_KEY not in session:
        return None
    return resolve(_actor_type(session[BACKEND_SESSION_KEY]), session[SESSION_KEY], session[HASH_SESSION_KEY])


def _back_end(actor_type: str) -> str:
    return settings.AUTHENTICATION_BACKENDS[0] if actor_type == "user" else actor_type


def _actor_type(back_end: str) -> str:
    return "user" if back_end in settings.AUTHENTICATION_BACKENDS else back_end
