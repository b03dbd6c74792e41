"""The limit on lists in variables, checked before graphql-core coerces their values."""

from collections.abc import Mapping
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    VariableDefinitionNode,
    get_nullable_type,
    is_input_object_type,
    is_list_type,
    type_from_ast,
)

from kit.graphql.documents.limits import MAX_VALUES
from kit.graphql.errors import Refusal


def check_lists(schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
    """Raise Refusal for a variable with more than MAX_VALUES in its lists; lists in stored JSON are its own matter."""
    for operation in document.definitions:
        if isinstance(operation, OperationDefinitionNode):
            for definition in operation.variable_definitions or ():
                value = variables.get(definition.variable.name.value)
                if isinstance(value, (list, dict)):
                    _check(schema, definition, value)


def _check(schema: GraphQLSchema, definition: VariableDefinitionNode, value: Any) -> None:
    values = 0
    pending: list[tuple[Any, Any]] = [(type_from_ast(schema, definition.type), value)]
    while pending:
        of, current = pending.pop()
        of = get_nullable_type(of)
        if is_list_type(of) and isinstance(current, list):
            values += len(current)
            if values > MAX_VALUES:
                message = f"Variable '${definition.variable.name.value}' has more than {MAX_VALUES} values in its lists"
                raise Refusal([GraphQLError(message, definition)])
            pending.extend((of.of_type, each) for each in current)
        elif is_list_type(of):
            pending.append((of.of_type, current))
        elif is_input_object_type(of) and isinstance(current, dict):
            pending.extend((field.type, current[name]) for name, field in of.fields.items() if name in current)
