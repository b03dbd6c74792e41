"""Object types, one for each serializer class: what REST documents and what GraphQL answers is declared once."""

import inspect
from functools import cache, partial
from typing import Any

import graphene
from rest_framework.serializers import Serializer

from kit.graphql.types.conversions import converted
from kit.graphql.types.names import attributes, camel
from kit.reads.declarations.fields import Relation
from kit.reads.resources import Resource

SerializerClass = type[Serializer[Any]]


@cache
def object_type(serializer_class: SerializerClass) -> type[graphene.ObjectType]:
    """The type of what the serializer describes, named after it. Members are null where REST has null, or has no key.

    The types of its relations are created with the schema.
    """
    members = {name: _member(name, field) for name, field in serializer_class._declared_fields.items()}
    return _named(type_name(serializer_class), about(serializer_class), members)


@cache
def page_type(resource: Resource) -> type[graphene.ObjectType]:
    """A page of resources, as REST's envelope has it."""
    rows = graphene.NonNull(_list_of(object_type(resource.serializer_class)))
    members = {
        resource.plural: graphene.Field(rows, description="The rows of this page."),
        "count": graphene.Int(required=True, description="How many rows there are on all pages."),
        "estimate_count": graphene.Int(required=True, description="The same number."),
        "offset": graphene.Int(required=True, description="How many rows were skipped."),
        "limit": graphene.Int(required=True, description="How many rows a page holds at most."),
    }
    about_it = f"A page of {resource.plural.replace('_', ' ')}."
    return _named(f"{type_name(resource.serializer_class)}List", about_it, members)


@cache
def payload_type(resource: Resource) -> type[graphene.ObjectType]:
    """The payload of a mutation: the resource after the change."""
    shown = graphene.Field(graphene.NonNull(object_type(resource.serializer_class)), description="As it now is.")
    about_it = f"The {resource.name.replace('_', ' ')} that was changed."
    return _named(f"{type_name(resource.serializer_class)}Payload", about_it, {resource.name: shown})


@cache
def outcome_type(name: str, description: str, resources: tuple[Resource, ...]) -> type[graphene.ObjectType]:
    """The answer of a mutation that ends in one of several resources: `type` says in which, the others are null."""
    members: dict[str, Any] = {"type": graphene.String(required=True, description="Which of the resources it is.")}
    members |= {
        each.name: graphene.Field(object_type(each.serializer_class), description="Null unless the change ended in it.")
        for each in resources
    }
    return _named(name, description, members)


def type_name(serializer_class: SerializerClass) -> str:
    """`ProductCategory` for ProductCategorySerializer."""
    return serializer_class.__name__.removesuffix("Serializer")


@cache
def member_names(serializer_class: SerializerClass) -> dict[str, str]:
    """The serializer's names of its type's members."""
    return {camel(name): name for name in serializer_class._declared_fields}


def about(declared: type) -> str | None:
    """The class's docstring, which API readers see."""
    return inspect.getdoc(declared)


def _named(name: str, description: str | None, members: dict[str, Any]) -> type[graphene.ObjectType]:
    meta = {"name": name, "description": description}
    return type(name, (graphene.ObjectType,), {**attributes(members), "Meta": meta})


def _member(name: str, field: Any) -> Any:
    if isinstance(field, Relation):
        return graphene.Field(partial(_related_type, field), description=field.help_text)
    if isinstance(field, Serializer):
        return graphene.Field(object_type(type(field)), description=field.help_text)
    return converted(name, field)


def _related_type(relation: Relation) -> Any:
    to = object_type(relation.to())
    return graphene.NonNull(_list_of(to)) if relation.many else to


def _list_of(type_: Any) -> graphene.List:
    return graphene.List(graphene.NonNull(type_))
