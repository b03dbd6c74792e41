"""The scalars beside GraphQL's own; each answers exactly what REST answers for the same field."""

from typing import Any

import graphene
from graphql import GraphQLError, ValueNode, value_from_ast_untyped


class DateTime(graphene.Scalar):  # type: ignore[misc]
    """A moment as ISO 8601 text in UTC: `2026-03-01T12:00:00.250Z`. As an argument a bare date is its midnight, UTC."""

    @staticmethod
    def serialize(value: str) -> str:
        """The text as the projection made it."""
        return value

    @classmethod
    def parse_value(cls, value: Any) -> str:
        """Any text; the filter that takes it decides whether it is a moment."""
        if not isinstance(value, str):
            raise GraphQLError(f"DateTime cannot represent a value that is no text: {str(value)[:100]}")
        return value

    @classmethod
    def parse_literal(cls, node: ValueNode, variables: dict[str, Any] | None = None) -> str:
        return cls.parse_value(value_from_ast_untyped(node, variables))


class Amount(graphene.Scalar):  # type: ignore[misc]
    """Money in major units, as a JSON number: `12.5` is twelve and a half euros."""

    @staticmethod
    def serialize(value: float) -> float:
        """The number as the projection made it."""
        return value

    @classmethod
    def parse_value(cls, value: Any) -> int | float:
        """A number, and no text that spells one."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise GraphQLError(f"Amount cannot represent a value that is no number: {str(value)[:100]}")
        return value

    @classmethod
    def parse_literal(cls, node: ValueNode, variables: dict[str, Any] | None = None) -> int | float:
        return cls.parse_value(value_from_ast_untyped(node, variables))


class JSON(graphene.Scalar):  # type: ignore[misc]
    """Any JSON value, such as an object of custom key-value pairs."""

    @staticmethod
    def serialize(value: Any) -> Any:
        """The value itself; stored JSON stays the text that it is."""
        return value

    @classmethod
    def parse_value(cls, value: Any) -> Any:
        return value

    @classmethod
    def parse_literal(cls, node: ValueNode, variables: dict[str, Any] | None = None) -> Any:
        return value_from_ast_untyped(node, variables)
