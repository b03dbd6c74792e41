"""The schema: the apps' root fields joined, and what of it a request may meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import graphene
from graphql import GraphQLSchema, OperationType, print_schema

from kit.graphql.documents.documents import Documents
from kit.graphql.fields.roots import RootField
from kit.graphql.types.names import attributes, camel


@dataclass(frozen=True, eq=False)
class Schema:
    """The types that graphql-core executes on, the root fields by operation and name, the documents read so far."""

    types: GraphQLSchema
    roots: Mapping[OperationType, Mapping[str, RootField]]
    documents: Documents = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "documents", Documents(self.types))

    def __str__(self) -> str:
        """In GraphQL's own schema language."""
        return print_schema(self.types) + "\n"


def join(*, queries: Mapping[str, RootField], mutations: Mapping[str, RootField]) -> Schema:
    """The schema of these fields, by their names in snake_case."""
    schema = graphene.Schema(
        query=_root("Query", "Everything that can be read.", queries),
        mutation=_root("Mutation", "Everything that can be changed. A refused change changes nothing.", mutations),
    )
    roots = {
        OperationType.QUERY: {camel(name): each for name, each in queries.items()},
        OperationType.MUTATION: {camel(name): each for name, each in mutations.items()},
    }
    return Schema(schema.graphql_schema, roots)


def _root(name: str, description: str, fields: Mapping[str, RootField]) -> type[graphene.ObjectType] | None:
    members = attributes({key: each.mounted() for key, each in fields.items()})
    meta = {"name": name, "description": description}
    return type(name, (graphene.ObjectType,), {**members, "Meta": meta}) if members else None
