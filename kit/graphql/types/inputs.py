"""Input types, built from the classes that validate REST's bodies and validated by them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import graphene
from rest_framework.serializers import ListSerializer

from kit.graphql.types.conversions import converted
from kit.graphql.types.types import about
from kit.rest.requests.inputs import Input


@cache
def input_type(input_class: type[Input]) -> type[graphene.InputObjectType]:
    """The input object of the same name and members."""
    members = {name: _member(name, field) for name, field in input_class().fields.items()}
    meta = {"name": input_class.__name__, "description": about(input_class)}
    return type(input_class.__name__, (graphene.InputObjectType,), {**members, "Meta": meta})


def _member(name: str, field: Any) -> Any:
    """The member of an input type; inputs within inputs are types of their own."""
    if isinstance(field, ListSerializer):
        child: Any = type(field.child)
        each = graphene.List(graphene.NonNull(input_type(child)))
        return graphene.InputField(each, required=field.required, description=field.help_text)
    if isinstance(field, Input):
        return graphene.InputField(input_type(type(field)), required=field.required, description=field.help_text)
    return converted(name, field, is_input=True)


def input_argument(input_class: type[Input]) -> graphene.Argument:
    """`input`, which may be left out where all its members may be."""
    required = any(field.required for field in input_class().fields.values())
    return graphene.Argument(input_type(input_class), required=required)


def validated(input_class: type[Input] | None, args: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the argument `input`. Raises DRF's ValidationError, formatted as in REST."""
    if input_class is None:
        return {}
    body = input_class(data=args.get("input") or {})
    body.is_valid(raise_exception=True)
    values: dict[str, Any] = body.validated_data
    return values
