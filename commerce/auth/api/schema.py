"""Signing in, in GraphQL. None of these takes an Idempotency-Key."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from commerce.api.client_address import client_address
from commerce.api.errors import AuthenticationRequired
from commerce.auth.accounts import Credential
from commerce.auth.api.serializers import SessionSerializer, SignInInput, SuccessSerializer, TokenSerializer
from commerce.auth.sessions import close_session, open_session
from commerce.auth.sign_in import sign_in
from commerce.auth.tokens import issue
from commerce.graphql.context import Asking
from commerce.graphql.mutations import Action

_action = partial(Action, takes_key=False)


def _login(asking: Asking, **values: Any) -> Mapping[str, Any]:
    account = sign_in(actor_type="user", client=client_address(asking.request.META), **values)
    return {"token": issue(account)}


def _refresh(asking: Asking) -> Mapping[str, Any]:
    return {"token": issue(_signed_in(asking).account)}


def _create_session(asking: Asking) -> Mapping[str, Any]:
    credential = _signed_in(asking)
    if credential.claims is None:
        raise AuthenticationRequired
    open_session(asking.request, credential.account, until=credential.claims["exp"])
    return {"user": credential.claims}


def _delete_session(asking: Asking) -> Mapping[str, Any]:
    if _signed_in(asking).claims is not None:
        raise AuthenticationRequired
    close_session(asking.request)
    return {"success": True}


def _signed_in(asking: Asking) -> Credential:
    """What the caller has signed in with; secret keys sign nobody in."""
    if not isinstance(asking.credential, Credential):
        raise AuthenticationRequired
    return asking.credential


MUTATIONS = {
    "login": _action(TokenSerializer, "Sign in as staff, with e-mail and password.", act=_login, input=SignInInput),
    "refresh": _action(TokenSerializer, "Get a new token, by a token or session that is still good.", act=_refresh),
    "create_session": _action(
        SessionSerializer, "Open a session with a token. The answer sets the cookie.", act=_create_session
    ),
    "delete_session": _action(SuccessSerializer, "End the session that the cookie names.", act=_delete_session),
}
