"""How large a document may be: counted on the parsed tree in one pass, before graphql-core's rules walk it.

Those rules compare fields with fields, so that a thousand aliases cost them a million steps.
"""

from collections.abc import Iterator, Mapping

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    OperationDefinitionNode,
    SelectionSetNode,
)

MAX_LENGTH = 100_000
"""Characters of a document."""
MAX_TOKENS = 2_000
MAX_COMMENTS = 500
MAX_FIELDS = 300
"""Field names written in a document, those of its fragments counted once. The same name so often costs 50 ms."""
MAX_ALIASES = 100
MAX_ROOT_FIELDS = 10
"""Fields of an operation's own selection set, each a read or a write of its own; so is each alias of what one gives."""
MAX_KEYS = 5
"""Response keys of one object under which the same value may stand: aliases are written again for every row."""
MAX_VALUES = 2_000
"""In all lists of one variable: the longest input is two lists of 1,000; conditions take less, and say so."""
MAX_DEPTH = 20
"""Selection sets within each other; introspection as tools send it takes 15."""


def check(document: DocumentNode) -> None:
    """Raise GraphQLError for a document beyond one of the limits. Validation reports all other errors."""
    fragments = {each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)}
    count = _Count(fragments)
    for definition in document.definitions:
        if isinstance(definition, (OperationDefinitionNode, FragmentDefinitionNode)):
            count.add(definition.selection_set)
        if isinstance(definition, OperationDefinitionNode):
            count.check_depth(definition)
            roots = sum(1 for _ in count.own_fields(definition.selection_set, set()))
            if roots > MAX_ROOT_FIELDS:
                raise GraphQLError(f"The operation has more than {MAX_ROOT_FIELDS} root fields", definition)


class _Count:
    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._fields = 0
        self._aliases = 0
        self._reached: dict[str, int] = {}

    def add(self, selections: SelectionSetNode) -> None:
        """Count the fields and aliases that are written below."""
        pending = [selections]
        while pending:
            for node in pending.pop().selections:
                if isinstance(node, FieldNode):
                    self._fields += 1
                    self._aliases += node.alias is not None
                below = getattr(node, "selection_set", None)
                if below is not None:
                    pending.append(below)
        if self._fields > MAX_FIELDS:
            raise GraphQLError(f"The document has more than {MAX_FIELDS} fields")
        if self._aliases > MAX_ALIASES:
            raise GraphQLError(f"The document has more than {MAX_ALIASES} aliases")

    def check_depth(self, operation: OperationDefinitionNode) -> None:
        """Follow the fragments too; a fragment is followed again only where it is met deeper than before."""
        pending = [(operation.selection_set, 1)]
        while pending:
            selections, depth = pending.pop()
            if depth > MAX_DEPTH:
                raise GraphQLError(f"The document is nested deeper than {MAX_DEPTH} levels", operation)
            for node in selections.selections:
                if isinstance(node, FragmentSpreadNode):
                    name = node.name.value
                    if name in self._fragments and depth > self._reached.get(name, 0):
                        self._reached[name] = depth
                        pending.append((self._fragments[name].selection_set, depth))
                elif node.selection_set is not None:  # type: ignore[attr-defined]
                    pending.append((node.selection_set, depth + 1))  # type: ignore[attr-defined]

    def own_fields(self, selections: SelectionSetNode, seen: set[str]) -> Iterator[FieldNode]:
        """The fields of a selection set, those of its fragments too."""
        for node in selections.selections:
            if isinstance(node, FieldNode):
                yield node
            elif isinstance(node, FragmentSpreadNode):
                name = node.name.value
                if name in self._fragments and name not in seen:
                    seen.add(name)
                    yield from self.own_fields(self._fragments[name].selection_set, seen)
            else:
                yield from self.own_fields(node.selection_set, seen)  # type: ignore[attr-defined]
