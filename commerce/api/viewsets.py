"""The bases of every endpoint: the order of checks, who asks, and the answer's bytes.

Checks come in the order of behaviour.md 0.6: method, body syntax, publishable key, credentials, permission, throttle,
then the handler with body and query. Each kind of route fixes what it demands.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.viewsets import GenericViewSet

from commerce.api.errors import AuthenticationRequired, refuse
from commerce.api.idempotency import once_per_key
from commerce.api.parsers import parse_object
from commerce.api.query_string import parse_query
from commerce.api.renderers import json_answer
from commerce.core import locking
from commerce.core.actor import ANONYMOUS, Actor, ActorType
from commerce.core.errors import InvalidData

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Endpoint(GenericViewSet[Any]):
    """A viewset of this API. Handlers return the JSON-ready body of a 200 and raise what commerce/api/errors.py knows.

    accepts: the actor types whose credentials count here; others are as absent.
    demands: whether a request without such an actor is refused with 401.
    permissions: the Django permission that each action demands.
    inputs: the body that each action takes.
    answers: the answer of each action that is not the route's resource.
    takes_key: whether POST requests may carry an Idempotency-Key.
    """

    accepts: ClassVar[frozenset[ActorType]] = frozenset()
    demands: ClassVar[bool] = False
    permissions: ClassVar[Mapping[str, str]] = {}
    inputs: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
    answers: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
    takes_key: ClassVar[bool] = True
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.args, self.kwargs = args, kwargs
        self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = {}
        try:
            self._admit()
            return self._perform()
        except Exception as exception:  # noqa: BLE001 - whatever it is, it becomes an answer; unforeseen ones are logged
            return self.handle_exception(exception)

    def _admit(self) -> None:
        """Run the checks; where they find the kept connection dead, once more on a fresh one.

        They read only, so that they may be repeated. This costs nothing, where asking the database before each request
        whether it is there (CONN_HEALTH_CHECKS) costs a statement.
        """
        try:
            self.initial(self.request, *self.args, **self.kwargs)
        except OperationalError:
            if connection.in_atomic_block or connection.is_usable():
                raise
            connection.close()
            self.initial(self.request, *self.args, **self.kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Every check that comes before the handler."""
        method = request.method or ""
        if method.lower() not in self.action_map and method != "OPTIONS":
            raise exceptions.MethodNotAllowed(method)
        if any("\0" in str(value) for value in kwargs.values()):
            raise InvalidData("Invalid request: NUL character in the path")
        self._json = {} if method in _SAFE_METHODS else self._parsed_body(request)
        if method == "OPTIONS":
            self.actor = ANONYMOUS
            return
        scope = self.open_gate(request._request)
        caller: object = request.user if self._has_credential(request) else None
        if not (isinstance(caller, Actor) and caller.type in self.accepts):
            caller = ANONYMOUS
        self.actor = self._scoped(caller, scope)
        if self.demands and self.actor.type == "anonymous":
            raise AuthenticationRequired
        permission = self.permissions.get(self.action)
        if permission is not None:
            self.actor.demand(permission)
        self.check_throttles(request)

    @staticmethod
    def _has_credential(request: Request) -> bool:
        """Most store requests have none, and need not go round by the authenticators."""
        return "HTTP_AUTHORIZATION" in request.META or settings.SESSION_COOKIE_NAME in request._request.COOKIES

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

    def body(self, input_class: type[Serializer[Any]] | None = None) -> dict[str, Any]:
        """The request's body, validated. Raises DRF's ValidationError, told as the interface's 400."""
        serializer = (input_class or self.inputs[self.action])(data=self._json)
        serializer.is_valid(raise_exception=True)
        validated: dict[str, Any] = serializer.validated_data
        return validated

    @cached_property
    def query(self) -> dict[str, Any]:
        """The request's query string, parsed."""
        return self.parameters(self.request.META.get("QUERY_STRING", ""))

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """What a query string means to this route. Raises InvalidData."""
        return parse_query(query_string)

    def _perform(self) -> HttpResponse:
        method = self.request.method or ""
        if method == "OPTIONS":  # a browser's preflight never comes this far
            return HttpResponse(status=204, headers={"Allow": ", ".join(self.allowed_methods)})
        if method in _SAFE_METHODS:
            return json_answer(self._handle())
        if method == "POST" and self.takes_key and "HTTP_IDEMPOTENCY_KEY" in self.request.META:
            return once_per_key(self.request._request, self.actor, self._handle, self.handle_exception)
        return json_answer(locking.settle(self._handle))

    def _handle(self) -> dict[str, Any]:
        handler: Callable[..., dict[str, Any]] = getattr(self, (self.request.method or "").lower())
        return handler(self.request, *self.args, **self.kwargs)

    @staticmethod
    def _parsed_body(request: Request) -> dict[str, Any]:
        if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
            raise InvalidData("The request needs a Content-Length; a chunked body is not read")
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdecimal() and len(length) < 20):
            raise InvalidData("The Content-Length is not a number")
        if int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        return parse_object(request._request.body, request.META.get("CONTENT_TYPE", ""))

    @staticmethod
    def _scoped(caller: Actor, scope: Actor | None) -> Actor:
        if scope is None:
            return caller
        return (
            scope
            if caller is ANONYMOUS
            else Actor(caller.type, caller.id, scope.sales_channel_ids, scope.through, caller.permitted)
        )


class StoreEndpoint(Endpoint):
    """A route under /store: the publishable key opens it, a customer may be signed in."""

    accepts = frozenset({"customer"})

    def open_gate(self, request: HttpRequest) -> Actor:
        return _store_scope()(request)

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """As elsewhere, without `locale`: it asks for a translation, and the shop has one language."""
        parameters = super().parameters(query_string)
        parameters.pop("locale", None)
        return parameters


class AdminEndpoint(Endpoint):
    """A route under /admin: for staff, by token, session or secret key, each action by permission."""

    accepts = frozenset({"user"})
    demands = True


class AuthEndpoint(Endpoint):
    """A route under /auth: open to everybody, never repeated by an Idempotency-Key."""

    accepts = frozenset({"user", "customer"})
    takes_key = False


@cache
def _store_scope() -> Callable[[HttpRequest], Actor]:
    """settings.STORE_SCOPE: the app that knows keys stands above this package, so it is named by settings."""
    scope: Callable[[HttpRequest], Actor] = import_string(settings.STORE_SCOPE)
    return scope
