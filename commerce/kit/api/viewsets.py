"""The bases of every endpoint: the order of checks, the caller, and the response.

Checks come in the order of behaviour.md 0.6: method, body syntax, publishable key, credentials, permission, throttle,
body, query; then the handler. Each kind of route has its own requirements.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from math import ceil
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.viewsets import ViewSet

from commerce.kit.api import view_hooks
from commerce.kit.api.authentication import ActorAuthentication
from commerce.kit.api.errors import AuthenticationRequired, refuse
from commerce.kit.api.http_caching import ONE_CALLER, revalidated
from commerce.kit.api.idempotency import once_per_key
from commerce.kit.api.inputs import Input
from commerce.kit.api.parsers import read_object
from commerce.kit.api.preparation import Preparation, work_before
from commerce.kit.api.query_string import parse_query
from commerce.kit.api.renderers import json_answer
from commerce.kit.api.scopes import STORE_SCOPE
from commerce.kit.core import database_time, locking
from commerce.kit.core.actor import ANONYMOUS, Actor, ActorType
from commerce.kit.core.database import renew_if_dead
from commerce.kit.core.errors import Forbidden, InvalidData, TooManyRequests
from commerce.kit.core.paging import shown

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Endpoint(ViewSet):
    """A viewset of this API. Handlers return the JSON-ready body of a 200 and raise the errors of kit/core/errors.py.

    DRF's `authentication_classes`, `permission_classes` and `throttle_classes` work; what else of DRF would have no
    effect is refused when the class is made (view_hooks.py).

    accepts: the actor types whose credentials count here; others are as absent.
    demands: whether a request without such an actor is refused with 401.
    permissions: the Django permission that each action demands.
    inputs: the body that each action takes; without one, an action takes none.
    answers: the answer of each action that is not the route's resource.
    acknowledgements: by action, the plain text that stands with status 201 in the place of a JSON answer.
    refusals: by status, the body that a refusal can have beside the usual one.
    private: whether answers hold secrets that no cache may keep.
    is_catalogue: whether anonymous callers may revalidate stored answers, and shared caches store them.
    vary: the request's headers that an answer depends on; Cors adds Origin.
    accepts_idempotency_key: whether POST requests may carry an Idempotency-Key.
    takes_registration: whether a credential counts whose registration is not finished.
    is_throttled: whether too many attempts are refused.
    """

    accepts: ClassVar[frozenset[ActorType]] = frozenset()
    demands: ClassVar[bool] = False
    permissions: ClassVar[Mapping[str, str]] = {}
    inputs: ClassVar[Mapping[str, type[Input]]] = {}
    answers: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
    acknowledgements: ClassVar[Mapping[str, str]] = {}
    refusals: ClassVar[Mapping[int, type[Serializer[Any]]]] = {}
    accepts_idempotency_key: ClassVar[bool] = True
    private: ClassVar[bool] = False
    is_catalogue: ClassVar[bool] = False
    vary: ClassVar[str] = "authorization, cookie"
    takes_registration: ClassVar[bool] = False
    is_throttled: ClassVar[bool] = False
    actor: Actor
    query: dict[str, Any]
    idempotency_digest: str | None
    _preparation: Preparation[Any] | None = None
    authentication_classes: Sequence[type[ActorAuthentication]]
    _has_policies: ClassVar[bool]
    _credential_headers: ClassVar[frozenset[str]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raises ImproperlyConfigured for what would have no effect."""
        super().__init_subclass__(**kwargs)
        view_hooks.check_endpoint(cls, base=Endpoint)
        cls._has_policies = view_hooks.has_policies(cls, base=Endpoint)
        cls._credential_headers = frozenset(each.header for each in cls.authentication_classes)

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """Raises ImproperlyConfigured for what only a class may declare."""
        view_hooks.check_initkwargs(cls, initkwargs.keys())
        return super().as_view(actions, **initkwargs)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.args, self.kwargs = args, kwargs
        self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = {}
        with database_time.bounded(settings.REQUEST_DATABASE_TIME):
            try:
                self._admit()
                response = self.perform()
            except Exception as exception:  # noqa: BLE001 - every exception becomes a response; unexpected ones are logged
                response = self.handle_exception(exception)
        if self.private:
            response.headers["Cache-Control"] = "no-store"
        elif self.is_catalogue and response.status_code == 200 and self.actor.type == "anonymous":
            response = revalidated(response, request)
        else:
            response.headers["Cache-Control"] = ONE_CALLER
        response.headers["Vary"] = self.vary
        return response

    def get_authenticators(self) -> list[BaseAuthentication]:
        """The route's authenticators; they keep nothing of a request, so that one of each serves all."""
        return _authenticators(tuple(self.authentication_classes))

    def _admit(self) -> None:
        """Run the checks; where they find the kept connection dead, once more on a fresh one.

        They read only, so that they may be repeated. This costs nothing, where asking the database before each request
        whether it is there (CONN_HEALTH_CHECKS) costs a statement.
        """
        try:
            self.initial(self.request, *self.args, **self.kwargs)
        except OperationalError:
            if not renew_if_dead():
                raise
            self.initial(self.request, *self.args, **self.kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Every check before body and query are validated."""
        method = request.method or ""
        if method.lower() not in self.action_map and method != "OPTIONS":
            raise exceptions.MethodNotAllowed(method)
        if any("\0" in str(value) for value in kwargs.values()):
            raise InvalidData("Invalid request: NUL character in the path")
        self._json = {} if method in _SAFE_METHODS else read_object(request._request)
        if method == "OPTIONS":
            self.actor = ANONYMOUS
            return
        scope = self.open_gate(request._request)
        caller: object = request.user if self._has_credential(request) else None
        if not (isinstance(caller, Actor) and caller.type in self.accepts):
            caller = ANONYMOUS
        self.actor = self._scoped(caller, scope)
        if self.actor.type == "user":
            database_time.lift()
        if self.demands and self.is_stranger():
            raise AuthenticationRequired
        permission = self.permissions.get(self.action)
        if permission is not None:
            self.actor.require(permission)
        if self._has_policies:
            request.user = self.actor  # type: ignore[assignment]  # callers are Actors here
            self.check_permissions(request)
            self.check_throttles(request)

    def _has_credential(self, request: Request) -> bool:
        """Most store requests have none, and need not ask the authenticators."""
        sent: HttpRequest = request._request
        return not sent.META.keys().isdisjoint(self._credential_headers) or settings.SESSION_COOKIE_NAME in sent.COOKIES

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        """A permission class has refused. Raises AuthenticationRequired for anonymous callers, Forbidden for others."""
        if self.actor.type == "anonymous":
            raise AuthenticationRequired
        raise Forbidden(message or "You do not have permission to perform this action.")

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """A throttle class has refused. Raises TooManyRequests."""
        raise TooManyRequests("Too many attempts, try again later", retry_after=ceil(wait or 1))

    def is_stranger(self) -> bool:
        """Whether the request has no credential of those that the route demands."""
        return self.actor.type == "anonymous"

    def open_gate(self, request: HttpRequest) -> Actor | None:
        """The scope of the request, from its publishable key where the route has one."""
        return None

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """The refusal as the contract's answer."""
        response = refuse(exc)
        if response.status_code == 405:
            response.headers["Allow"] = ", ".join(self.allowed_methods)
        return response

    @property
    def allowed_methods(self) -> list[str]:
        return sorted({*map(str.upper, self.action_map), "OPTIONS"})

    def body(self) -> dict[str, Any]:
        """The request's body, as the action's input has found it valid."""
        return self._body

    def take_body(self) -> None:
        """Validate the body. Raises DRF's ValidationError, which becomes a 400."""
        taken = self.inputs.get(self.action, Input)(data=self._json)
        taken.is_valid(raise_exception=True)
        self._body: dict[str, Any] = taken.validated_data

    def take_query(self) -> None:
        """Parse the query string. Raises InvalidData, also for parameters that the action does not offer."""
        self.query = self.parameters(self.request.META.get("QUERY_STRING", ""))
        offered = self.offered(self.action)
        unknown = [shown(name) for name in self.query if name not in offered]
        if unknown:
            raise InvalidData(f"Invalid request: Unrecognized fields: '{', '.join(unknown)}'")

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """The query parameters that the action takes."""
        return ()

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """Parse a query string for this route. Raises InvalidData."""
        return parse_query(query_string)

    def perform(self) -> HttpResponse:
        """Serve a request that has passed the checks."""
        method = self.request.method or ""
        if method == "OPTIONS":  # a browser's preflight never comes this far
            return HttpResponse(status=204, headers={"Allow": ", ".join(self.allowed_methods)})
        if method in _SAFE_METHODS:
            return json_answer(self._handle())
        if method == "POST" and self.accepts_idempotency_key and "HTTP_IDEMPOTENCY_KEY" in self.request.META:
            ahead = self._prepare if work_before(getattr(self, self.action)) else None
            return once_per_key(
                self.request._request,
                self.actor,
                self._handle,
                self.handle_exception,
                prepare=ahead,
                is_final=self.is_final,
            )
        self._prepare()
        done = locking.retry_on_conflict(self._handle)
        if self.action in self.acknowledgements:
            return HttpResponse(self.acknowledgements[self.action], status=201, content_type="text/plain")
        return json_answer(done)

    def is_final(self, done: dict[str, Any] | None) -> bool:
        """Whether an Idempotency-Key may keep the action's answer, or a refusal (None), for later requests."""
        return True

    def _prepare(self, idempotency_digest: str | None = None) -> None:
        work = work_before(getattr(self, self.action))
        if work is not None:
            self.idempotency_digest = idempotency_digest
            self._preparation = Preparation.of(partial(self._ahead, work))

    def _ahead(self, work: Callable[..., Any]) -> Any:
        self._take()
        return work(self, self.request, *self.args, **self.kwargs)

    def _take(self) -> None:
        if self.request.method not in _SAFE_METHODS:
            self.take_body()
        self.take_query()

    def _handle(self) -> dict[str, Any]:
        handler: Callable[..., dict[str, Any]] = getattr(self, (self.request.method or "").lower())
        if self._preparation is not None:
            return handler(self.request, self._preparation.result(), *self.args, **self.kwargs)
        self._take()
        return handler(self.request, *self.args, **self.kwargs)

    @staticmethod
    def _scoped(caller: Actor, scope: Actor | None) -> Actor:
        if scope is None:
            return caller
        return (
            scope
            if caller is ANONYMOUS
            else Actor(
                caller.type, caller.id, scope.sales_channel_ids, scope.through, caller.identity, caller.permitted
            )
        )


class StoreEndpoint(Endpoint):
    """A route under /store: the publishable key opens it, a customer may be signed in."""

    accepts = frozenset({"customer"})
    vary = "x-publishable-api-key, authorization, cookie"

    def open_gate(self, request: HttpRequest) -> Actor:
        return STORE_SCOPE.get()(request)

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """As elsewhere, without `locale`: it asks for a translation, and the shop has one language."""
        parameters = super().parameters(query_string)
        parameters.pop("locale", None)
        return parameters


class CustomerEndpoint(StoreEndpoint):
    """A route under /store for a customer who has signed in, about nobody but themselves."""

    demands = True
    private = True

    @property
    def customer_id(self) -> str:
        """Whose request it is."""
        assert self.actor.id is not None  # noqa: S101 - the route demands a customer
        return self.actor.id


class AdminEndpoint(Endpoint):
    """A route under /admin: for staff, by token, session or secret key, each action by permission."""

    accepts = frozenset({"user"})
    demands = True
    private = True

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """Raises ImproperlyConfigured for an action without a permission: nothing here is open to all staff."""
        unguarded = [action for action in (actions or {}).values() if not cls.permissions.get(action)]
        if unguarded:
            raise ImproperlyConfigured(f"{cls.__name__} names no permission for: {', '.join(unguarded)}")
        return super().as_view(actions, **initkwargs)


class AuthEndpoint(Endpoint):
    """A route under /auth: open to everybody, never repeated by an Idempotency-Key."""

    accepts = frozenset({"user", "customer"})
    accepts_idempotency_key = False
    private = True
    is_throttled = True


@cache
def _authenticators(classes: tuple[type[BaseAuthentication], ...]) -> list[BaseAuthentication]:
    return [each() for each in classes]
