"""Authentication by a token in the Authorization header, else by the session cookie.

An invalid credential counts as none; the endpoint decides whether it needs one.
Why: docs/decisions/security.md#an-invalid-credential-counts-as-none.
"""

from django.http import HttpRequest
from rest_framework.request import Request

from auth.account_types.accounts import Account, Credential
from auth.api.browser_rules import refuse_foreign_page
from auth.errors import InvalidAuthToken
from auth.sessions.sessions import session_account
from auth.tokens import tokens
from kit.domain.actor import Actor
from kit.rest.authentication import ActorAuthentication
from kit.rest.requests.origins import is_for_staff, is_route_of_staff


def bearer_token(request: Request) -> str:
    """The token of an Authorization header that is no credential of an account. Raises InvalidAuthToken."""
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer":
        raise InvalidAuthToken
    return str(token.strip())


class BearerAuthentication(ActorAuthentication):
    """`Authorization: Bearer <token>`, with the scheme in any letter case. The app `apikeys` handles secret keys."""

    def authenticate(self, request: Request) -> tuple[Actor, Credential] | None:
        scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        return _admitted(tokens.verify(token.strip()), request)


class SessionAuthentication(ActorAuthentication):
    """The cookie `connect.sid`. Ignored with an Authorization header."""

    def authenticate(self, request: Request) -> tuple[Actor, Credential] | None:
        """Raises Forbidden for a request that a page of another site may have made: see refuse_foreign_page."""
        if request.META.get("HTTP_AUTHORIZATION"):
            return None
        django_request: HttpRequest = request._request
        account = session_account(django_request)
        if account is None or _is_ignored(account, django_request):
            return None
        view = request.parser_context["view"]
        refuse_foreign_page(django_request, takes_files=view.action in view.takes_files)
        return _admitted(Credential(account), request)


def _is_ignored(account: Account, request: HttpRequest) -> bool:
    """Staff's session on a route that pages of storefronts may call, unless the request is from a page for staff."""
    return account.actor_type == "user" and not (is_route_of_staff(request.path_info) or is_for_staff(request))


def _admitted(credential: Credential | None, request: Request) -> tuple[Actor, Credential] | None:
    """The credential; None for an unfinished registration, unless the route accepts those."""
    if credential is None:
        return None
    actor = credential.account.actor
    counts = actor.id is not None or request.parser_context["view"].takes_registration
    return (actor, credential) if counts else None
