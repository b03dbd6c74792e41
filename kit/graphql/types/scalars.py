"""The scalars beside GraphQL's own; each answers exactly what REST answers for the same field."""

from typing import Any

import graphene
from graphql import GraphQLError, ValueNode, value_from_ast_untyped


class ProjectedScalar(graphene.Scalar):  # type: ignore[misc]
    """A scalar whose values the projection has converted; a literal is read as the same JSON value."""

    class Meta:
        abstract = True

    @staticmethod
    def serialize(value: Any) -> Any:
        """The value itself; stored JSON stays the text that it is."""
        return value

    @classmethod
    def parse_value(cls, value: Any) -> Any:
        """The value of a variable. Raises GraphQLError."""
        return value

    @classmethod
    def parse_literal(cls, node: ValueNode, variables: dict[str, Any] | None = None) -> Any:
        return cls.parse_value(value_from_ast_untyped(node, variables))


class DateTime(ProjectedScalar):
    """A moment as ISO 8601 text in UTC: `2026-03-01T12:00:00.250Z`. As an argument a bare date is its midnight, UTC."""

    @classmethod
    def parse_value(cls, value: Any) -> str:
        """Any text; the filter that takes it decides whether it is a moment."""
        if not isinstance(value, str):
            raise GraphQLError(f"DateTime cannot represent a value that is not a text: {str(value)[:100]}")
        return value


class Amount(ProjectedScalar):
    """Money in major units, as a JSON number: `12.5` is twelve and a half euros."""

    @classmethod
    def parse_value(cls, value: Any) -> int | float:
        """A number, and no text that spells one."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise GraphQLError(f"Amount cannot represent a value that is not a number: {str(value)[:100]}")
        return value


class JSON(ProjectedScalar):
    """Any JSON value, such as an object of custom key-value pairs."""
