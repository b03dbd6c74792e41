"""Who may use a route: the checks that a request passes before its body and query are validated."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.viewsets import ViewSet

from kit.database import database_time
from kit.database.raw_sql import renew_if_dead
from kit.domain.actor import ANONYMOUS, Actor, ActorType
from kit.errors import Forbidden, InvalidData, TooManyRequests
from kit.rest.authentication import ActorAuthentication
from kit.rest.requests.multipart import FilesForm, require_multipart
from kit.rest.requests.parsers import read_bytes, read_object
from kit.rest.responses.errors import AuthenticationRequired

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Admission(ViewSet):
    """Sets the request's `actor`, or raises its refusal.

    The order is fixed: method, body syntax, publishable key, credentials, permission, throttle; where strangers have
    no business, body syntax is last.
    Why: docs/decisions/http.md#requests-are-checked-in-a-fixed-order.

    accepts: the actor types whose credentials count here; others are ignored.
    demands: whether a request without such an actor is refused with 401.
    permissions: the Django permission that each action demands.
    takes_registration: whether a credential counts whose registration is not finished.
    is_throttled: whether too many attempts are refused.
    takes_files: the actions whose body is a multipart form with files, or by PUT the file itself.
    files_form: of those actions.
    largest_file: in bytes, for a request whose file must stay below the front's own limit.
    takes_bytes: the actions whose body may be of any type, and is kept as `raw_body`.
    reads_body_first: whether the body is read before anything is known of the caller.
    """

    accepts: ClassVar[frozenset[ActorType]] = frozenset()
    demands: ClassVar[bool] = False
    permissions: ClassVar[Mapping[str, str]] = {}
    takes_registration: ClassVar[bool] = False
    is_throttled: ClassVar[bool] = False
    takes_files: ClassVar[frozenset[str]] = frozenset()
    takes_bytes: ClassVar[frozenset[str]] = frozenset()
    reads_body_first: ClassVar[bool] = True
    files_form: ClassVar[type[Serializer[Any]]] = FilesForm
    largest_file: int | None = None
    raw_body: bytes
    authentication_classes: Sequence[type[ActorAuthentication]]
    actor: Actor
    _has_policies: ClassVar[bool]
    _credential_headers: ClassVar[frozenset[str]]

    def admit(self) -> None:
        """Run the checks; if the kept connection is dead, once more on a fresh one.

        They only read, so they may be repeated. This costs nothing, while CONN_HEALTH_CHECKS costs a statement for
        each request.
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
        self._json = self._object(request._request) if self.reads_body_first else {}
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
        self.require_permission()
        if self._has_policies:
            request.user = self.actor  # type: ignore[assignment]  # callers are Actors here
            self.check_permissions(request)
            self.check_throttles(request)
        if not self.reads_body_first:
            self._json = self._object(request._request)

    def require_permission(self) -> None:
        """Raises Forbidden unless the actor has the permission that the action demands."""
        permission = self.permissions.get(self.action)
        if permission is not None:
            self.actor.require(permission)

    def _object(self, request: HttpRequest) -> dict[str, Any]:
        """The JSON body; empty where there is none, or the action takes another kind."""
        if request.method in SAFE_METHODS:
            return {}
        if self.action in self.takes_files:
            if request.method != "PUT":
                require_multipart(request)
            return {}
        if self.action in self.takes_bytes:
            self.raw_body = read_bytes(request)
            return {}
        return read_object(request)

    def _has_credential(self, request: Request) -> bool:
        """Most store requests have none; the authenticators are not called for them."""
        sent: HttpRequest = request._request
        return not sent.META.keys().isdisjoint(self._credential_headers) or settings.SESSION_COOKIE_NAME in sent.COOKIES

    def get_authenticators(self) -> list[BaseAuthentication]:
        """The route's authenticators. They are stateless, so all requests share them."""
        return _authenticators(tuple(self.authentication_classes))

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        """A permission class has refused. Raises AuthenticationRequired for anonymous callers, Forbidden for others."""
        if self.actor.type == "anonymous":
            raise AuthenticationRequired
        raise Forbidden(message or "You do not have permission to perform this action.")

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """A throttle class has refused. Raises TooManyRequests."""
        raise TooManyRequests("Too many attempts, try again later", retry_after=ceil(wait or 1))

    def is_stranger(self) -> bool:
        """Whether the request has none of the credentials that the route demands."""
        return self.actor.type == "anonymous"

    def open_gate(self, request: HttpRequest) -> Actor | None:
        """The scope of the request, from its publishable key where the route has one."""
        return None

    @staticmethod
    def _scoped(caller: Actor, scope: Actor | None) -> Actor:
        if scope is None:
            return caller
        if caller is ANONYMOUS:
            return scope
        return Actor(caller.type, caller.id, scope.sales_channel_ids, scope.through, caller.identity, caller.permitted)


@cache
def _authenticators(classes: tuple[type[BaseAuthentication], ...]) -> list[BaseAuthentication]:
    return [each() for each in classes]
