"""The base of every endpoint: from the request to the response.

Once the request is admitted (admission.py), its body is validated, then its query, then the handler runs.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.serializers import Serializer

from kit.database import database_time, locking
from kit.errors import InvalidData, shown
from kit.rest import view_hooks
from kit.rest.admission import SAFE_METHODS, Admission
from kit.rest.idempotency import once_per_key
from kit.rest.preparation import Preparation, work_before
from kit.rest.replica_reads import add_position, from_replica
from kit.rest.requests.inputs import Input
from kit.rest.requests.query_string import parse_query
from kit.rest.responses.errors import refuse
from kit.rest.responses.http_caching import ONE_CALLER, revalidated
from kit.rest.responses.renderers import json_answer
from kit.rest.responses.validation_problems import MemberPath, comma_separated
from kit.server.uploads import ACCEPTED, HEAD, LIMIT


class Endpoint(Admission):
    """A viewset of this API. Handlers return the JSON-ready body of a 200 and raise the errors of kit/errors.py.

    DRF's `authentication_classes`, `permission_classes` and `throttle_classes` work; what else of DRF would have no
    effect is refused when the class is made (view_hooks.py).

    inputs: the body that each action takes; without one, an action takes none.
    answers: the answer of each action that is not the route's resource.
    statuses: of successes, by action; 200 for others. Only for actions without an Idempotency-Key.
    acknowledgements: by action, the plain text that stands with status 201 in the place of a JSON answer.
    files: the media types of the files that reading actions answer, which return the response itself.
    refusals: by status, the body that a refusal can have beside the usual one.
    query_parameters: by action, the query parameters with their descriptions, of one that reads no resource.
    private: whether answers hold secrets that no cache may keep.
    is_catalogue: whether anonymous callers may revalidate stored answers, shared caches store them, and read replicas
        answer.
    vary: the request's headers that an answer depends on; Cors adds Origin.
    accepts_idempotency_key: whether POST requests may carry an Idempotency-Key.
    place: how messages name a member of the body.
    is_dry: whether the request only asks what its answer would be (AdminEndpoint).
    """

    inputs: ClassVar[Mapping[str, type[Input]]] = {}
    answers: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
    statuses: ClassVar[Mapping[str, int]] = {}
    acknowledgements: ClassVar[Mapping[str, str]] = {}
    files: ClassVar[Mapping[str, Sequence[str]]] = {}
    refusals: ClassVar[Mapping[int, type[Serializer[Any]]]] = {}
    query_parameters: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    accepts_idempotency_key: ClassVar[bool] = True
    place: Callable[[MemberPath], str] = staticmethod(comma_separated)
    private: ClassVar[bool] = False
    is_catalogue: ClassVar[bool] = False
    vary: ClassVar[str] = "authorization, cookie"
    query: dict[str, Any]
    is_dry: bool = False
    idempotency_digest: str | None
    _preparation: Preparation[Any] | None = None

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
        """Answer the request, and forget it.

        DRF ties its request to the view, and the view to its own methods: the body and all that was made of it would
        stay until the garbage is collected, some hundreds of requests later.
        """
        self.args, self.kwargs = args, kwargs
        self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = {}
        try:
            return self._answered(request)
        finally:
            self.request.parser_context.clear()
            vars(self).clear()

    def _answered(self, request: HttpRequest) -> HttpResponse:
        with database_time.bounded(settings.REQUEST_DATABASE_TIME):
            try:
                response = self._by_replica() or self._admitted()
            except Exception as exception:  # noqa: BLE001 - every exception becomes a response; unexpected ones are logged
                response = self.handle_exception(exception)
        if self.writes and not self.is_dry:
            add_position(response)
        if self.private:
            response.headers["Cache-Control"] = "no-store"
        elif self.is_catalogue and response.status_code == 200 and self.actor.type == "anonymous":
            response = revalidated(response, request)
        else:
            response.headers["Cache-Control"] = ONE_CALLER
        response.headers["Vary"] = self.vary
        return response

    def _by_replica(self) -> HttpResponse | None:
        """The response of a read replica to a read of the catalogue; None if the primary must answer."""
        if not self.is_catalogue or self.request.method not in SAFE_METHODS:
            return None
        return from_replica(self.request._request, self._admitted)

    def _admitted(self) -> HttpResponse:
        self.admit()
        if HEAD not in self.request.META:
            return self.perform()
        return HttpResponse(status=ACCEPTED, headers={LIMIT: self.largest_file} if self.largest_file else None)

    @property
    def writes(self) -> bool:
        """Whether the request may have changed rows."""
        return self.request.method not in SAFE_METHODS

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """The refusal as the contract's answer."""
        response = refuse(exc, place=self.place)
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
        body = self.inputs.get(self.action, Input)(data=self._json)
        body.is_valid(raise_exception=True)
        self._body: dict[str, Any] = body.validated_data

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
        return cls.query_parameters.get(action, ())

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """Parse a query string for this route. Raises InvalidData."""
        return parse_query(query_string)

    def perform(self) -> HttpResponse:
        """Serve a request that has passed the checks."""
        method = self.request.method or ""
        if method == "OPTIONS":  # a browser's preflight never comes this far
            return HttpResponse(status=204, headers={"Allow": ", ".join(self.allowed_methods)})
        if method in SAFE_METHODS:
            read: Any = self._handle()
            return read if self.action in self.files else json_answer(read)
        if method == "POST" and self.accepts_idempotency_key and "HTTP_IDEMPOTENCY_KEY" in self.request.META:
            ahead = self._prepare if work_before(getattr(self, self.action)) else None
            return once_per_key(
                self.request._request,
                self.actor,
                self._handle,
                self.handle_exception,
                prepare=ahead,
                is_final=self.is_final,
                stored=self.response_stored,
            )
        self._prepare()
        done = locking.retry_on_conflict(self._attempt)
        if self.action in self.acknowledgements:
            return HttpResponse(self.acknowledgements[self.action], status=201, content_type="text/plain")
        return json_answer(done, status=self.statuses.get(self.action, 200))

    def is_final(self, done: dict[str, Any] | None) -> bool:
        """Whether an Idempotency-Key may keep the action's answer, or a refusal (None), for later requests."""
        return True

    def response_stored(self, size: int) -> None:
        """Called with the bytes that an Idempotency-Key keeps of the response, once they are committed."""

    def _prepare(self, idempotency_digest: str | None = None) -> None:
        work = work_before(getattr(self, self.action))
        if work is not None:
            self.idempotency_digest = idempotency_digest
            self._preparation = Preparation.of(partial(self._ahead, work))

    def _ahead(self, work: Callable[..., Any]) -> Any:
        self._take()
        return work(self, self.request, *self.args, **self.kwargs)

    def _take(self) -> None:
        if self.request.method not in SAFE_METHODS:
            self.take_body()
        self.take_query()

    def _attempt(self) -> dict[str, Any]:
        """One try of a change without an Idempotency-Key."""
        return self._handle()

    def _handle(self) -> dict[str, Any]:
        handler: Callable[..., dict[str, Any]] = getattr(self, (self.request.method or "").lower())
        if self._preparation is not None:
            return handler(self.request, self._preparation.result(), *self.args, **self.kwargs)
        self._take()
        return handler(self.request, *self.args, **self.kwargs)
