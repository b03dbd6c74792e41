"""Authentication in GraphQL. Mutations by password or token take no Idempotency-Key."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from auth.account_types.accounts import Credential
from auth.account_types.actors import is_known
from auth.api.browser_rules import refuse_foreign_session
from auth.api.serializers import (
    AcceptInviteByTokensInput,
    PasswordMailInput,
    PasswordUpdateInput,
    RegistrationInput,
    SessionSerializer,
    SignInInput,
    SuccessSerializer,
    TokenSerializer,
)
from auth.passwords.password_reset import request_reset
from auth.passwords.password_update import update_password
from auth.passwords.staff_passwords import count_mail_to, send_reset_mail
from auth.sessions.sessions import close_session, open_session
from auth.signing_in.registration import register
from auth.signing_in.sign_in import sign_in
from auth.signing_in.staff_registration import accept_invitation
from auth.tokens.tokens import issue
from kit.domain.actor import Actor
from kit.errors import InvalidData, shown
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written
from kit.rest.requests.client_address import client_address
from kit.rest.responses.errors import AuthenticationRequired
from kit.rest.storage_limits import a_row
from kit.values.json import JSONObject
from staff.actors import staff_actor
from staff.api.resources import USERS
from staff.api.serializers import ResetTokenSerializer

_action = partial(Action, accepts_idempotency_key=False)


def _login(
    context: RequestContext, *, email: str, password: str, otp: str | None = None, actor_type: str = "customer"
) -> JSONObject:
    client = client_address(context.request.META)
    account = sign_in(actor_type=_known(actor_type), client=client, email=email, password=password, otp=otp)
    return {"token": issue(account)}


def _register(context: RequestContext, *, email: str, password: str, actor_type: str = "customer") -> JSONObject:
    client = client_address(context.request.META)
    return {"token": register(actor_type=_known(actor_type), client=client, email=email, password=password)}


def _accept_invite(*, actor: Actor, token: str, **given: Any) -> Written:
    user = accept_invitation(invite_token=token, **given)
    return Written(user.pk, reader=staff_actor(user))


def _reset_user_password(context: RequestContext, *, id: str) -> JSONObject:
    actor = context.actor("staff.change_user")
    count_mail_to(actor=actor, user_id=id)
    send_reset_mail(actor=actor, user_id=id)
    return {"token": ""}


def _request_reset(
    context: RequestContext, *, identifier: str, actor_type: str = "customer", metadata: JSONObject | None = None
) -> JSONObject:
    request_reset(actor_type=_known(actor_type), email=identifier, client=client_address(context.request.META))
    return {"success": True}


def _update_password(
    context: RequestContext, *, token: str, password: str, email: str | None = None, actor_type: str = "customer"
) -> JSONObject:
    update_password(actor_type=_known(actor_type), token=token, password=password, email=email)
    return {"success": True}


def _refresh(context: RequestContext) -> JSONObject:
    return {"token": issue(_signed_in(context).account)}


def _create_session(context: RequestContext) -> Mapping[str, object]:
    credential = _signed_in(context)
    if credential.claims is None:
        raise AuthenticationRequired
    refuse_foreign_session(context.request, credential.account)
    open_session(context.request, credential.account, until=credential.claims["exp"])
    return {"user": credential.claims}


def _delete_session(context: RequestContext) -> JSONObject:
    if _signed_in(context).claims is not None:
        raise AuthenticationRequired
    close_session(context.request)
    return {"success": True}


def _known(actor_type: str) -> str:
    """The actor type, if it can sign in. Raises InvalidData."""
    if not is_known(actor_type):
        raise InvalidData(f"'{shown(actor_type)}' of field 'actor_type' cannot sign in")
    return actor_type


def _signed_in(context: RequestContext) -> Credential:
    """The caller's credential. A secret key is not one."""
    if not isinstance(context.credential, Credential):
        raise AuthenticationRequired
    return context.credential


MUTATIONS = {
    "login": _action(
        TokenSerializer, "Sign in with email and password, as a customer or as staff.", act=_login, input=SignInInput
    ),
    "register": _action(
        TokenSerializer,
        "Register an email and password. The token lets `createCustomer` create the customer; that of staff, "
        "`acceptInvite` the user, if somebody has invited them.",
        act=_register,
        input=RegistrationInput,
        adds=a_row,
    ),
    "accept_invite": Change(
        USERS,
        "Accept an invitation to become a member of staff.",
        act=_accept_invite,
        input=AcceptInviteByTokensInput,
        by_id=False,
        adds=a_row,
    ),
    "reset_user_password": _action(
        ResetTokenSerializer,
        "Send a user the email to set a new password. Only the email has the token.",
        act=_reset_user_password,
        by_id=True,
    ),
    "request_password_reset": _action(
        SuccessSerializer,
        "Request an email to set a new password. The answer never reveals whether there is an account.",
        act=_request_reset,
        input=PasswordMailInput,
        adds=a_row,
    ),
    "update_password": _action(
        SuccessSerializer,
        "Set a new password with the token from the email. Older tokens and sessions become invalid.",
        act=_update_password,
        input=PasswordUpdateInput,
    ),
    "refresh": _action(TokenSerializer, "Get a new token for a valid token or session.", act=_refresh),
    "create_session": _action(
        SessionSerializer, "Open a session with a token. The answer sets the cookie.", act=_create_session, adds=a_row
    ),
    "delete_session": _action(SuccessSerializer, "Close the session of the cookie.", act=_delete_session),
}
