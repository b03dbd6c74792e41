"""The routes of /auth."""

from rest_framework.request import Request

from commerce.auth.accounts import Credential
from commerce.auth.api.authentication import BearerAuthentication, SessionAuthentication
from commerce.auth.api.browser_rules import refuse_foreign_session
from commerce.auth.api.serializers import (
    AuthProvidersSerializer,
    CredentialsInput,
    PasswordInput,
    PasswordResetInput,
    RegistrationInput,
    SessionSerializer,
    SuccessSerializer,
    TokenSerializer,
)
from commerce.auth.errors import InvalidToken
from commerce.auth.password_reset import request_reset
from commerce.auth.password_update import update_password
from commerce.auth.registration import register
from commerce.auth.sessions import close_session, open_session
from commerce.auth.sign_in import sign_in
from commerce.auth.tokens import issue
from commerce.kit.api.client_address import client_address
from commerce.kit.api.errors import AuthenticationRequired
from commerce.kit.api.viewsets import AuthEndpoint
from commerce.kit.core.database import renew_if_dead
from commerce.kit.core.json import JSON, JSONObject

PROVIDERS: list[JSON] = [
    {"id": "emailpass", "identifier": "emailpass", "display_name": "E-mail and password", "flow": "credentials"},
]


class SignIn(AuthEndpoint):
    """The door. Credentials sent along count for nothing: clients keep sending expired ones while they sign in anew."""

    authentication_classes = ()
    inputs = {"create": CredentialsInput}
    answers = {"create": TokenSerializer}

    def create(self, request: Request, actor_type: str) -> JSONObject:
        """Sign in with e-mail and password. The answer is a token."""
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
        """List the ways to sign in. There is one: e-mail and password."""
        return {"providers": PROVIDERS}


class Register(AuthEndpoint):
    """New accounts, of the types that anybody may open."""

    authentication_classes = ()
    inputs = {"create": RegistrationInput}
    answers = {"create": TokenSerializer}

    def create(self, request: Request, actor_type: str) -> JSONObject:
        """Register an e-mail and password. The answer is a token that lets POST /store/customers make the customer."""
        renew_if_dead()
        account = register(actor_type=actor_type, client=client_address(request.META), **self.body())
        return {"token": issue(account)}


class PasswordReset(AuthEndpoint):
    """The way back in, by mail."""

    authentication_classes = ()
    inputs = {"create": PasswordResetInput}
    acknowledgements = {"create": "Created"}

    def create(self, request: Request, actor_type: str) -> JSONObject:
        """Request a mail to set a new password. The answer never reveals whether there is an account."""
        renew_if_dead()
        request_reset(actor_type=actor_type, email=self.body()["identifier"], client=client_address(request.META))
        return {}


class PasswordUpdate(AuthEndpoint):
    """The end of that way."""

    authentication_classes = ()
    inputs = {"update": PasswordInput}
    answers = {"update": SuccessSerializer}

    def update(self, request: Request, actor_type: str) -> JSONObject:
        """Set a new password, with the token of the mail as Bearer. Older tokens and sessions end."""
        scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "bearer":
            raise InvalidToken
        update_password(actor_type=actor_type, token=token.strip(), **self.body())
        return {"success": True}


class SignedInEndpoint(AuthEndpoint):
    """A route for whoever has signed in, with a finished registration or not; secret keys sign nobody in."""

    authentication_classes = (BearerAuthentication, SessionAuthentication)
    takes_registration = True
    demands = True

    @property
    def credential(self) -> Credential:
        """What the caller has signed in with."""
        if not isinstance(self.request.auth, Credential):
            raise AuthenticationRequired
        return self.request.auth


class Tokens(SignedInEndpoint):
    """Tokens of an account that has signed in."""

    answers = {"refresh": TokenSerializer}

    def refresh(self, request: Request) -> JSONObject:
        """Get a new token for a token or session that is still valid."""
        return {"token": issue(self.credential.account)}


class Sessions(SignedInEndpoint):
    """The session cookie."""

    answers = {"create": SessionSerializer, "destroy": SuccessSerializer}

    def create(self, request: Request) -> dict[str, object]:
        """Open a session with a token. The answer sets the cookie."""
        claims = self.credential.claims
        if claims is None:
            raise AuthenticationRequired
        refuse_foreign_session(request._request, self.credential.account)
        open_session(request._request, self.credential.account, until=claims["exp"])
        return {"user": claims}

    def destroy(self, request: Request) -> JSONObject:
        """Close the session that the cookie names."""
        if self.credential.claims is not None:
            raise AuthenticationRequired
        close_session(request._request)
        return {"success": True}
