"""Execution by graphql-core, except for values that the projection has shaped: they are returned as they are.

graphql-core completes every member of every object by itself, which costs ten times what reading them costs.
tests/kit/graphql/test_projected_execution.py holds the two ways equal.
"""

from typing import Any

from graphql import (
    ExecutionContext,
    ExecutionResult,
    GraphQLError,
    GraphQLLeafType,
    GraphQLOutputType,
    GraphQLResolveInfo,
)
from graphql.execution.execute import CollectedErrors
from graphql.language import FieldNode
from graphql.pyutils import Path


class PreshapedValue:
    """A value that has the response's shape: its keys, their order, and no others."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class ProjectedExecution(ExecutionContext):
    """graphql-core's execution of one operation."""

    def complete_value(
        self,
        return_type: GraphQLOutputType,
        field_nodes: list[FieldNode],
        info: GraphQLResolveInfo,
        path: Path,
        result: Any,
    ) -> Any:
        if type(result) is PreshapedValue:
            return result.value
        return super().complete_value(return_type, field_nodes, info, path, result)

    @staticmethod
    def complete_leaf_value(return_type: GraphQLLeafType, result: Any) -> Any:
        """A result that does not fit its type is a fault of ours, and no GraphQLError as for an argument."""
        try:
            return ExecutionContext.complete_leaf_value(return_type, result)
        except GraphQLError as error:
            raise TypeError(error.message) from error

    def run(self) -> ExecutionResult:
        """Run the operation as graphql-core's `execute` does. It can be run again."""
        self.collected_errors = CollectedErrors()
        try:
            data: Any = self.execute_operation(self.operation, self.root_value)
        except GraphQLError as error:
            self.collected_errors.add(error, None)
            data = None
        return self.build_response(data, self.collected_errors.errors)
