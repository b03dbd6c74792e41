"""Which GraphQL type a field of a serializer has: graphene-django's table, and in it what the shop's own fields are."""

from collections.abc import Callable
from typing import Any

import graphene
from graphene_django.rest_framework.serializer_converter import (
    convert_serializer_field,
    get_graphene_type_from_serializer_field,
)
from rest_framework import serializers

from kit.graphql.types.names import is_id
from kit.graphql.types.scalars import JSON, Amount, DateTime
from kit.reads.declarations.computed import Computed, MoneyValue
from kit.rest.requests import input_fields

Field = serializers.Field[Any, Any, Any, Any]


def converted(name: str, field: Field, *, is_input: bool = False) -> graphene.types.unmountedtype.UnmountedType:
    """The field as a member of an object type, or of an input type, in which it may be required.

    Choices stay texts, as they are in REST: an enum would spell them in capitals.
    """
    required = field.required if is_input else name == "id"
    if is_id(name):
        return graphene.ID(description=field.help_text, required=required)
    if isinstance(field, serializers.ChoiceField):
        description = field.help_text or f"One of: {', '.join(map(str, field.choices))}."
        return graphene.String(description=description, required=required)
    shape = field.output_field if isinstance(field, Computed) else field
    if isinstance(shape, serializers.ListField) and not is_input:
        kind, of = _list(shape)
        return kind(of, description=field.help_text or shape.help_text, required=not shape.allow_null)
    return convert_serializer_field(field, is_input=is_input)


def _list(field: serializers.ListField) -> Any:
    return graphene.List, graphene.NonNull(get_graphene_type_from_serializer_field(field.child))


def _computed(field: Computed) -> Any:
    return get_graphene_type_from_serializer_field(field.output_field)


def _scalar(scalar: type[graphene.Scalar]) -> Callable[[Field], type[graphene.Scalar]]:
    return lambda field: scalar


for _kind, _type in (
    (serializers.DateTimeField, _scalar(DateTime)),
    (serializers.DictField, _scalar(JSON)),
    (serializers.JSONField, _scalar(JSON)),
    (MoneyValue, _scalar(Amount)),
    (input_fields.DecimalField, _scalar(Amount)),
    (serializers.ListField, _list),
    (Computed, _computed),
):
    get_graphene_type_from_serializer_field.register(_kind, _type)
