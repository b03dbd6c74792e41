"""POST /graphql: one document a request, for shoppers and staff alike.

A bad request is answered as by every other endpoint; a bad document, as GraphQL clients expect, with a list of errors
and status 400. An executed document is answered 200.
Why: docs/decisions/graphql.md#the-errors-of-a-document-are-a-list,
docs/decisions/graphql.md#a-header-replaces-csrf-tokens.
"""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from graphql import GraphQLError
from rest_framework import serializers
from rest_framework.request import Request

from kit.database import replicas
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.graphql.context import RequestContext
from kit.graphql.errors import Refusal, refuse_document
from kit.graphql.operations import Answer, Operation, prepare
from kit.graphql.rendering import check_answer, render
from kit.graphql.schemas import Schema
from kit.rest.endpoint import Endpoint
from kit.rest.idempotency import once_per_key
from kit.rest.replica_reads import from_replica
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from kit.rest.responses.renderers import json_answer
from kit.rest.scopes import KEYLESS_SCOPE, STORE_SCOPE
from kit.rest.storage_limits import charge_response, is_exempt


class DocumentInput(Input):
    """A GraphQL document, the name of the operation to run, and values for its variables.

    `extensions` is accepted and has no effect.
    """

    query = CharField(max_length=None)
    operationName = CharField(required=False, allow_null=True)  # noqa: N815 - GraphQL's own spelling
    variables = DictField(required=False, allow_null=True)
    extensions = DictField(required=False, allow_null=True)


class DocumentAnswer(serializers.Serializer[Any]):
    """The data of the operation, and its errors."""

    data = serializers.DictField(required=False, allow_null=True)  # type: ignore[assignment]
    errors = serializers.ListField(child=serializers.DictField(), required=False)  # type: ignore[assignment]


class GraphQL(Endpoint):
    """The endpoint. `graph` is the schema; the route names it."""

    accepts = frozenset({"user", "customer"})
    demands = True
    takes_registration = True
    inputs = {"execute": DocumentInput}
    answers = {"execute": DocumentAnswer}
    refusals = {400: DocumentAnswer}
    private = True
    vary = "x-publishable-api-key, authorization, cookie"
    graph: Schema | None = None
    _scope: Actor | None
    _operation: Operation | None = None

    def open_gate(self, request: HttpRequest) -> None:
        """Keep the scope of the publishable key, where there is one: it bounds what is read of the store alone.

        Raises InvalidData without the header that no HTML form can send, NotAllowed for a bad key.
        """
        if settings.PRODUCTION and request.META.get("HTTP_X_GRAPHQL_REQUEST", "").lower() != "true":
            raise InvalidData("The header x-graphql-request: true is required")
        self._scope = STORE_SCOPE.get()(request) if "HTTP_X_PUBLISHABLE_API_KEY" in request.META else None

    def is_stranger(self) -> bool:
        """A publishable key is a credential too, but not beside an Authorization that is none."""
        return super().is_stranger() and (self._scope is None or bool(self.request.META.get("HTTP_AUTHORIZATION")))

    def perform(self) -> HttpResponse:
        """The body and the query string first, as everywhere."""
        if self.request.method == "OPTIONS":
            return super().perform()
        self.take_body()
        self.take_query()
        try:
            return self.execute(self.request)
        except Refusal as refusal:
            return refuse_document(refusal)

    def execute(self, request: Request) -> HttpResponse:
        """Execute a GraphQL document."""
        assert self.graph is not None  # noqa: S101 - the route has named it
        sent = self.body()
        document = self.graph.documents.read(sent["query"])
        if document.introspects and settings.PRODUCTION and self.actor.type != "user":
            raise Refusal([GraphQLError("Only staff may introspect the schema")])
        context = RequestContext(request._request, self.actor, request.auth, self._shop_scope)
        operation = prepare(
            self.graph, document, context=context, variables=sent.get("variables"), name=sent.get("operationName")
        )
        self._operation = operation
        is_keyed = "HTTP_IDEMPOTENCY_KEY" in request.META and operation.accepts_idempotency_key
        operation.count_stored(request.META, is_keyed=is_keyed)
        if is_keyed:
            return self._execute_once(operation)
        answer = None
        if replicas.are_configured() and operation.reads_catalogue:  # which looks up the arguments of each field
            answer = from_replica(request._request, partial(operation.run, on_replica=True))
        return render((answer or operation.run()).body, context.answer_limit)

    @property
    def writes(self) -> bool:
        return self._operation is not None and self._operation.is_mutation

    def _shop_scope(self) -> Actor:
        """The anonymous caller in the channels of the key; without one, in the store's default channel."""
        return self._scope or KEYLESS_SCOPE.get()()

    def _execute_once(self, operation: Operation) -> HttpResponse:
        """Once for its Idempotency-Key. Whether a failure is kept, REST's status for it decides; it is answered 200."""
        operation.context.is_repeated = True

        def handle() -> dict[str, Any]:
            answer = operation.run()
            if answer.status != 200:
                raise _Failed(answer)
            check_answer(answer.body)  # before it is kept
            return answer.body

        owner = self.actor if self.actor.type != "anonymous" or self._scope is None else self._scope
        ahead = operation.prepare if operation.has_preparation else None
        response = once_per_key(
            self.request._request,
            owner,
            handle,
            _failure,
            prepare=ahead,
            is_final=operation.is_final,
            stored=None if is_exempt(self.actor) else partial(charge_response, self.request.META),
        )
        for work in operation.context.afterwards:
            work()
        response.status_code = 200
        return response


class _Failed(Exception):
    """The one mutation has failed, so that nothing of it may stand."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def _failure(exception: Exception) -> HttpResponse:
    if not isinstance(exception, _Failed):
        raise exception
    return json_answer(exception.answer.body, status=exception.answer.status)
