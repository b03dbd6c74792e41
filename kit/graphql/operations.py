"""One operation of a document, from selecting it to its response. Errors found before its execution are a Refusal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, OperationalError
from graphql import ExecutionResult, FieldNode, GraphQLError, GraphQLObjectType, OperationType, get_argument_values
from graphql.execution.collect_fields import collect_fields

from kit.database.reruns import RerunRequired
from kit.errors import InvalidData
from kit.graphql.context import RequestContext
from kit.graphql.documents.documents import Document
from kit.graphql.documents.variables import check_lists
from kit.graphql.errors import Refusal, formatted
from kit.graphql.fields.execution import ProjectedExecution
from kit.graphql.fields.roots import RootField
from kit.graphql.fields.selections import Nodes, Selecting
from kit.graphql.schemas import Schema
from kit.reads.filters.filtering import MAX_WORDS, Searching
from kit.reads.plans.bounds import AnswerLimit
from kit.rest.preparation import Preparation
from kit.rest.responses.errors import AuthenticationRequired
from kit.rest.storage_limits import count, is_exempt

MOST_PLANS = 32
"""Kept for one document, which needs one for each operation and each set of @skip and @include values."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response: its body, and the status that REST gives the first error; 200 without errors."""

    body: dict[str, Any]
    status: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that is ready to run. roots: its fields, in order. nodes: where the document has them."""

    execution: ProjectedExecution
    context: RequestContext
    roots: tuple[RootField, ...]
    nodes: tuple[FieldNode, ...]

    @property
    def is_mutation(self) -> bool:
        return self.execution.operation.operation is OperationType.MUTATION

    @property
    def reads_catalogue(self) -> bool:
        """Whether the operation reads the catalogue, and nothing else: no cart decides its prices."""
        return all(root.is_catalogue for root in self.roots) and not any(
            "cart_id" in (self._arguments(node) or {}) for node in self.nodes
        )

    @property
    def accepts_idempotency_key(self) -> bool:
        """Whether an Idempotency-Key counts for it. Raises Refusal for a key with several changes in one document."""
        if not self.is_mutation:
            return False
        if len(self.roots) > 1:
            raise Refusal([GraphQLError("A document with an Idempotency-Key must have exactly one mutation field")])
        return all(root.accepts_idempotency_key for root in self.roots)

    @property
    def has_preparation(self) -> bool:
        """Whether one of its fields has work to do before the transaction."""
        return any(root.before_transaction is not None for root in self.roots)

    def count_stored(self, meta: Mapping[str, Any], *, is_keyed: bool) -> None:
        """Count what its changes will store, unless staff send them. Raises TooManyRequests."""
        if self.is_mutation and not is_exempt(self.context.caller):
            arguments = [(root, self._arguments(node) or {}) for root, node in zip(self.roots, self.nodes, strict=True)]
            sent = repr([each for _, each in arguments]).encode()
            count(meta, *(root.added(each) for root, each in arguments), sent=sent, is_keyed=is_keyed)

    def prepare(self, idempotency_digest: str) -> None:
        """Do the work of its one mutation that comes before the transaction of the request."""
        (root,), (node,) = self.roots, self.nodes
        args = self._arguments(node)
        if args is None:
            return
        self.context.preparation = Preparation.of(
            lambda: root.prepare(self.context, args, idempotency_digest=idempotency_digest)
        )

    def is_final(self, _: dict[str, Any] | None) -> bool:
        """Whether the response of its one mutation may be stored under an Idempotency-Key."""
        return all(root.is_final(self.context) for root in self.roots)

    def require_few_words(self) -> None:
        """Raise Refusal, before any search runs, if its searches together have too many words."""
        words = 0
        for key, root, node in zip(self.context.plans, self.roots, self.nodes, strict=True):
            words += root.searched_words(self.context.plans[key], self._arguments(node) or {})
            if words > MAX_WORDS:
                message = f"The searches of the document hold more than {MAX_WORDS} words in field 'q'"
                raise Refusal([GraphQLError(message, node)])

    def _arguments(self, node: FieldNode) -> dict[str, Any] | None:
        """The field's arguments; None if they are invalid, which its execution reports."""
        field = _root_type(self.execution).fields[node.name.value]
        try:
            return get_argument_values(field, node, self.execution.variable_values)
        except GraphQLError:
            return None

    def run(self, *, on_replica: bool = False) -> Answer:
        """Execute. It can be run again.

        Raises OperationalError for a write conflict, and RerunRequired, if the caller retries those; on a replica each
        DatabaseError, since the primary may answer. Raises AuthenticationRequired if every field requires a credential
        and the caller has none.
        """
        self.context.answer_limit, self.context.searching = AnswerLimit(), Searching()
        result = self.execution.run()
        if not result.errors:
            return Answer({"data": result.data}, 200)
        raised = DatabaseError if on_replica else (OperationalError, RerunRequired) if self.context.is_repeated else ()
        for error in result.errors:
            if isinstance(error.original_error, raised):
                raise error.original_error
        if self.context.caller.type == "anonymous" and self._needs_credential(result):
            raise AuthenticationRequired
        failures = [formatted(error) for error in result.errors]
        return Answer({"errors": [shape for _, shape in failures], "data": result.data}, failures[0][0])

    def _needs_credential(self, result: ExecutionResult) -> bool:
        """Whether every field was refused because the caller has no credential."""
        refused = {tuple(each.path or ()) for each in result.errors or () if _is_refusal(each)}
        return bool(refused) and refused == {(key,) for key in result.data or ()}


def _is_refusal(error: GraphQLError) -> bool:
    return isinstance(error.original_error, AuthenticationRequired)


def prepare(
    schema: Schema, document: Document, *, context: RequestContext, variables: dict[str, Any] | None, name: str | None
) -> Operation:
    """The operation of that name: its variables coerced, its selection sets planned. Raises Refusal."""
    check_lists(schema.types, document.tree, variables or {})
    execution = ProjectedExecution.build(
        schema.types,
        document.tree,
        context_value=context,
        raw_variable_values=variables,
        operation_name=name,
        is_awaitable=_never,
    )
    if isinstance(execution, list):
        raise Refusal(execution)
    assert isinstance(execution, ProjectedExecution)  # noqa: S101 - it is built by its own class
    known = schema.roots.get(execution.operation.operation)
    if known is None:
        raise Refusal([GraphQLError("Subscriptions are not supported", execution.operation)])
    context.plans, nodes = _planned(schema, document, execution)
    operation = Operation(execution, context, tuple(known[node.name.value] for node in nodes), nodes)
    if document.searches:
        operation.require_few_words()
    return operation


def _planned(
    schema: Schema, document: Document, execution: ProjectedExecution
) -> tuple[dict[str, Any], tuple[FieldNode, ...]]:
    """The plans by response key, and the nodes that ask for their fields.

    They depend only on the document, the operation, and the values of @skip and @include.
    """
    key = (id(execution.operation), *(execution.variable_values.get(name) for name in document.steering))
    plans = document.plans.get(key)
    if plans is None:
        try:
            plans = _plan(schema, execution)
        except GraphQLError as error:  # a variable that is null that @skip or @include needs
            raise Refusal([error]) from None
        if len(document.plans) < MOST_PLANS:
            document.plans[key] = plans
    return plans


def _plan(schema: Schema, execution: ProjectedExecution) -> tuple[dict[str, Any], tuple[FieldNode, ...]]:
    operation = execution.operation
    fields = collect_fields(
        schema.types, execution.fragments, execution.variable_values, _root_type(execution), operation.selection_set
    )
    selecting = Selecting(schema.types, execution.fragments, execution.variable_values)
    known = schema.roots[operation.operation]
    first = {key: nodes[0] for key, nodes in fields.items()}
    ours = {key: node for key, node in first.items() if node.name.value in known}  # others are graphql-core's own
    plans = {key: _plan_of(known[node.name.value], fields[key], selecting) for key, node in ours.items()}
    return plans, tuple(ours.values())


def _root_type(execution: ProjectedExecution) -> GraphQLObjectType:
    root_type = execution.schema.get_root_type(execution.operation.operation)
    assert root_type is not None  # noqa: S101 - the document is valid
    return root_type


def _plan_of(root: RootField, nodes: Nodes, selecting: Selecting) -> Any:
    try:
        return root.plan(nodes, selecting)
    except InvalidData as error:
        raise Refusal([GraphQLError(error.message, nodes)]) from None


def _never(value: object) -> bool:
    """Whether a resolver's value has to be awaited."""
    return False
