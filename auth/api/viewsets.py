"""The routes of /auth."""

from rest_framework.request import Request

from auth.account_types.accounts import Credential
from auth.api.authentication import BearerAuthentication, SessionAuthentication, bearer_token
from auth.api.browser_rules import refuse_foreign_session
from auth.api.serializers import (
    AuthProvidersSerializer,
    CloudSignInSerializer,
    CredentialsInput,
    NewAccountInput,
    PasswordInput,
    PasswordResetInput,
    SecondFactorsSerializer,
    SessionSerializer,
    SuccessSerializer,
    TokenSerializer,
)
from auth.passwords.password_reset import request_reset
from auth.passwords.password_update import update_password
from auth.sessions.sessions import close_session, open_session
from auth.signing_in.registration import register
from auth.signing_in.sign_in import sign_in
from auth.tokens.tokens import issue
from kit.database.raw_sql import renew_if_dead
from kit.rest.requests.client_address import client_address
from kit.rest.responses.errors import AuthenticationRequired
from kit.rest.storage_limits import a_row
from kit.rest.viewsets import AuthEndpoint
from kit.values.json import JSON, JSONObject

PROVIDERS: list[JSON] = [
    {"id": "emailpass", "identifier": "emailpass", "display_name": "Email and password", "flow": "credentials"},
]


class SignIn(AuthEndpoint):
    """Sign-in. Credentials of the request are ignored, since clients still send expired ones."""

    authentication_classes = ()
    inputs = {"create": CredentialsInput}
    answers = {"create": TokenSerializer}

    def create(self, request: Request, actor_type: str) -> JSONObject:
        """Sign in with email and password. The answer is a token."""
        renew_if_dead()
        account = sign_in(actor_type=actor_type, client=client_address(request.META), **self.body())
        return {"token": issue(account)}


class Providers(AuthEndpoint):
    """The ways to sign in."""

    authentication_classes = ()
    is_throttled = False
    private = False
    answers = {"list": AuthProvidersSerializer}

    def list(self, request: Request, actor_type: str) -> JSONObject:
        """List the ways to sign in. There is one: email and password."""
        return {"providers": PROVIDERS}


class CloudSignIn(AuthEndpoint):
    """Sign-in by an account of Medusa's cloud, which its dashboard offers where there is one."""

    authentication_classes = ()
    is_throttled = False
    private = False
    answers = {"retrieve": CloudSignInSerializer}

    def retrieve(self, request: Request) -> JSONObject:
        """Get whether it is possible. It is not."""
        return {"enabled": False}


class Register(AuthEndpoint):
    """New accounts."""

    authentication_classes = ()
    inputs = {"create": NewAccountInput}
    adds = {"create": a_row}
    answers = {"create": TokenSerializer}

    def create(self, request: Request, actor_type: str) -> JSONObject:
        """Register an email and password. The answer is a token: see below.

        With a customer's, POST /store/customers creates the customer. With that of staff, the invited accept their
        invitation, by POST /admin/invites/accept; without an invitation, it opens nothing.
        """
        renew_if_dead()
        return {"token": register(actor_type=actor_type, client=client_address(request.META), **self.body())}


class PasswordReset(AuthEndpoint):
    """Requests for a new password."""

    authentication_classes = ()
    inputs = {"create": PasswordResetInput}
    adds = {"create": a_row}
    acknowledgements = {"create": "Created"}

    def create(self, request: Request, actor_type: str) -> JSONObject:
        """Request an email to set a new password. The answer never reveals whether there is an account."""
        renew_if_dead()
        request_reset(actor_type=actor_type, email=self.body()["identifier"], client=client_address(request.META))
        return {}


class PasswordUpdate(AuthEndpoint):
    """New passwords."""

    authentication_classes = ()
    inputs = {"update": PasswordInput}
    answers = {"update": SuccessSerializer}

    def update(self, request: Request, actor_type: str) -> JSONObject:
        """Set a new password, with the token from the email as Bearer. Older tokens and sessions become invalid."""
        update_password(actor_type=actor_type, token=bearer_token(request), **self.body())
        return {"success": True}


class SignedInEndpoint(AuthEndpoint):
    """A route for signed-in callers, even with an unfinished registration, but not for secret keys."""

    authentication_classes = (BearerAuthentication, SessionAuthentication)
    takes_registration = True
    demands = True

    @property
    def credential(self) -> Credential:
        """The caller's credential."""
        if not isinstance(self.request.auth, Credential):
            raise AuthenticationRequired
        return self.request.auth


class SecondFactors(SignedInEndpoint):
    """Second factors of sign-in by the API."""

    answers = {"list": SecondFactorsSerializer}

    def list(self, request: Request) -> JSONObject:
        """List the second factors of the caller: none. Those of the admin site are set there."""
        return {"mfa_factors": []}


class Tokens(SignedInEndpoint):
    """Tokens of the signed-in account."""

    answers = {"refresh": TokenSerializer}

    def refresh(self, request: Request) -> JSONObject:
        """Get a new token for a token or session that is still valid."""
        return {"token": issue(self.credential.account)}


class Sessions(SignedInEndpoint):
    """The session cookie."""

    answers = {"create": SessionSerializer, "destroy": SuccessSerializer}
    adds = {"create": a_row}

    def create(self, request: Request) -> dict[str, object]:
        """Open a session with a token. The answer sets the cookie."""
        claims = self.credential.claims
        if claims is None:
            raise AuthenticationRequired
        refuse_foreign_session(request._request, self.credential.account)
        open_session(request._request, self.credential.account, until=claims["exp"])
        return {"user": claims}

    def destroy(self, request: Request) -> JSONObject:
        """Close the session of the cookie."""
        if self.credential.claims is not None:
            raise AuthenticationRequired
        close_session(request._request)
        return {"success": True}
