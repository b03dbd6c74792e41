"""A cache of parsed and validated documents: a storefront sends the same few again and again.

Parsing and validating cost more than executing. Refused documents are not cached: no well-meaning client sends them
twice, and an attacker's would push the others out.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    parse,
    validate,
)
from graphql.language import ArgumentNode, FieldNode, StringValueNode, VariableNode, VisitorAction, visit
from graphql.language.visitor import Visitor

from kit.graphql.documents import limits
from kit.graphql.errors import Refusal

MOST_KEPT = 256
LONGEST_KEPT = 20_000
MOST_KEPT_CHARACTERS = 100_000
"""The most characters of all cached documents: a parsed one takes 100 to 300 bytes for each character of its text."""


@dataclass(frozen=True, eq=False)
class Document:
    """A valid document.

    introspects: whether it asks for the schema. searches: whether it may hold searches.
    steering: the variables that its @skip and @include read.
    plans: what kit/graphql/operations.py has made of it.
    """

    tree: DocumentNode
    introspects: bool
    searches: bool
    steering: tuple[str, ...]
    plans: dict[Hashable, Any] = field(default_factory=dict)


class Documents:
    """The valid documents of one schema, the latest used ones kept."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._kept: OrderedDict[str, Document] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    def read(self, text: str) -> Document:
        """The document of that text. Raises Refusal where it is malformed, too large, or does not fit the schema."""
        with self._lock:
            document = self._kept.get(text)
            if document is not None:
                self._kept.move_to_end(text)
                return document
        document = read(self._schema, text)
        if len(text) <= LONGEST_KEPT:
            self._keep(text, document)
        return document

    def _keep(self, text: str, document: Document) -> None:
        with self._lock:
            if text not in self._kept:
                self._characters += len(text)
            self._kept[text] = document
            while len(self._kept) > MOST_KEPT or self._characters > MOST_KEPT_CHARACTERS:
                oldest, _ = self._kept.popitem(last=False)
                self._characters -= len(oldest)


def read(schema: GraphQLSchema, text: str) -> Document:
    """Parse, measure and validate."""
    try:
        tree = parse(
            text,
            max_lexical_tokens=limits.MAX_TOKENS,
            max_comments=limits.MAX_COMMENTS,
            max_source_length=limits.MAX_LENGTH,
        )
        limits.check(tree)
        findings = _Findings()
        visit(tree, findings)
    except GraphQLError as error:
        raise Refusal([error]) from None
    problems = validate(schema, tree, max_errors=10)
    if problems:
        raise Refusal(problems)
    return Document(tree, findings.introspects, findings.searches, tuple(sorted(findings.steering)))


class _Findings(Visitor):
    """What one walk over a document finds."""

    def __init__(self) -> None:
        super().__init__()
        self.introspects = False
        self.searches = False
        self.steering: set[str] = set()

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        self.introspects = self.introspects or node.name.value in ("__schema", "__type")

    def enter_argument(self, node: ArgumentNode, *_: Any) -> None:
        self.searches = self.searches or node.name.value in ("q", "and", "or")

    def enter_directive(self, node: Any, *_: Any) -> None:
        values = (argument.value for argument in node.arguments)
        self.steering |= {value.name.value for value in values if isinstance(value, VariableNode)}

    def enter_string_value(self, node: StringValueNode, *_: Any) -> VisitorAction:
        """The check of the body has seen the document's text, in which a NUL character is spelled by an escape."""
        if "\0" in node.value:
            raise GraphQLError("NUL character in a text of the document", node)
        return None
