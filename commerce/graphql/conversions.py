"""Which GraphQL type a field of a serializer has: graphene-django's table, and in it what the shop's own fields are."""

from typing import Any

import graphene
from graphene_django.rest_framework.serializer_converter import (
    convert_serializer_field,
    get_graphene_type_from_serializer_field,
)
from rest_framework import serializers

from commerce.graphql.names import is_id
from commerce.graphql.scalars import JSON, Amount, DateTime
from commerce.projection.fields import Computed, MoneyValue

Field = serializers.Field[Any, Any, Any, Any]


def converted(name: str, field: Field, *, is_input: bool = False) -> graphene.types.unmountedtype.UnmountedType:
    """The field as a member of an object type, or of an input type, in which it may be required.

    Choices stay texts, as they are in REST: an enum would spell them in capitals.
    """
    if is_id(name):
        required = (is_input and field.required) or (name == "id" and not is_input)
        return graphene.ID(description=field.help_text, required=required)
    return convert_serializer_field(field, is_input=is_input, convert_choices_to_enum=False)


_scalars: dict[type[Field], type[graphene.Scalar]] = {
    serializers.DateTimeField: DateTime,
    serializers.DictField: JSON,
    serializers.JSONField: JSON,
    MoneyValue: Amount,
}
for _kind, _scalar in _scalars.items():
    get_graphene_type_from_serializer_field.register(_kind, lambda field, scalar=_scalar: scalar)


@get_graphene_type_from_serializer_field.register(Computed)
def _computed(field: Computed) -> Any:
    return get_graphene_type_from_serializer_field(field.shown_as)
