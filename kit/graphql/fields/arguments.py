"""Arguments of lists and single resources: what REST takes as parameters, typed, and turned back into these.

One parser decides for both transports (kit/reads/resources.py); it names parameters as REST spells them.
The flags that widen a relation to a whole tree have no place here: a GraphQL answer is as deep as its document.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import graphene
from django.utils.text import capfirst

from kit.graphql.types.names import camel, is_id
from kit.graphql.types.scalars import Amount, DateTime
from kit.graphql.types.types import type_name
from kit.query.paging import MAX_LIMIT
from kit.reads.filters.filters import (
    ComparedFilter,
    DateFilter,
    ObjectFilter,
    OneTextFilter,
    ResourceFilter,
    SearchFilter,
    TextFilter,
)
from kit.reads.filters.id_filter import IdFilter
from kit.reads.filters.number_filters import AmountFilter
from kit.reads.resources import Resource
from kit.search.text import words_of

Arguments = dict[str, graphene.Argument]

_ID_FILTER = "id_filter"

_JOINED = {"and": "All of these conditions match.", "or": "At least one of these conditions matches."}
_EQUAL = {"eq": "Equal to it.", "ne": "Not equal to it."}
_LATER = {
    "gt": "After it.",
    "gte": "After or equal to it.",
    "lt": "Before it.",
    "lte": "Before or equal to it.",
}
_GREATER = {
    "gt": "Greater than it.",
    "gte": "Greater than or equal to it.",
    "lt": "Less than it.",
    "lte": "Less than or equal to it.",
}
_AMONG = {"in": "One of these.", "nin": "None of these."}


def list_arguments(resource: Resource) -> Arguments:
    """Everything a list takes."""
    orders = ", ".join(sorted(_orders(resource)))
    return {
        "limit": _optional(graphene.Int, f"Rows on a page, at most {MAX_LIMIT}; {resource.default_limit} by default."),
        "offset": _optional(graphene.Int, "Rows to skip."),
        "order": _optional(graphene.String, f"The field to sort by, with `-` in descending order. One of: {orders}."),
        "with_deleted": _optional(
            graphene.Boolean, "Include soft-deleted rows, unless they are hidden for another reason."
        ),
        **_context_arguments(resource),
        **{name: _optional(*typed) for name, typed in _typed_filters(_filters(resource), _of(resource)).items()},
        **{name: _optional(_list_of(_conditions(resource)), description) for name, description in _JOINED.items()},
    }


def single_arguments(resource: Resource) -> Arguments:
    """Everything that one resource takes; its key is required."""
    return {resource.known_by: graphene.Argument(graphene.ID, required=True), **_context_arguments(resource)}


def list_parameters(resource: Resource, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as REST's parameters."""
    parameters = _parameters(_filters(resource), args)
    if "order" in parameters:
        parameters["order"] = _spelled(resource, parameters["order"])
    return parameters


def searched_words(resource: Resource, args: Mapping[str, Any]) -> int:
    """How many words the list's searches hold together, those of its conditions too."""
    words = 0
    for name, value in args.items():
        if name in _JOINED:
            words += sum(searched_words(resource, each) for each in value or ())
        elif isinstance(value, str) and isinstance(_filters(resource).get(name), SearchFilter):
            words += len(words_of(value))
    return words


def single_parameters(resource: Resource, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments beside the key as REST's parameters."""
    return {name: value for name, value in args.items() if name != resource.known_by and value is not None}


def _parameters(filters: Mapping[str, ResourceFilter], args: Mapping[str, Any]) -> dict[str, Any]:
    """A null is a condition for filters that accept it; for others it counts as omitted.

    So do an empty list and an object without conditions: query strings cannot express either.
    """
    parameters: dict[str, Any] = {}
    for name, value in _with_whole_id(args).items():
        declared = filters.get(name)
        if name in _JOINED:
            if joined := [each for each in (_parameters(filters, one) for one in value or ()) if each]:
                parameters[f"${name}"] = joined
        elif isinstance(declared, ObjectFilter):
            if members := _parameters(declared.members, value or {}):
                parameters[name] = members
        elif _is_said(value):
            parameters[name] = _raw(declared, value)
        elif not isinstance(value, list) and isinstance(declared, TextFilter) and declared.nullable:
            parameters[name] = None
    return parameters


def _with_whole_id(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments with `id` and `idFilter` as one object of operators."""
    if not _is_said(args.get(_ID_FILTER)):
        return {name: value for name, value in args.items() if name != _ID_FILTER}
    others = {name: value for name, value in args.items() if name not in ("id", _ID_FILTER)}
    return {**others, "id": {"in": args.get("id"), **args[_ID_FILTER]}}


def _is_said(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_is_said, value.values()))
    return value is not None and value != []


def _raw(declared: ResourceFilter | None, value: Any) -> Any:
    if isinstance(declared, ComparedFilter) and isinstance(value, dict):
        return {f"${operator}": compared for operator, compared in value.items() if _is_said(compared)}
    if isinstance(value, bool):
        return "true" if value else "false"
    return value[0] if isinstance(value, list) and len(value) == 1 else value


@cache
def _orders(resource: Resource) -> dict[str, str]:
    """What `order` takes, and REST's spelling of it."""
    return {".".join(map(camel, name.split("."))): name for name in resource.orders}


def _spelled(resource: Resource, order: str) -> str:
    name = order.removeprefix("-")
    return f"{order[: len(order) - len(name)]}{_orders(resource).get(name, name)}"


def _filters(resource: Resource) -> Mapping[str, ResourceFilter]:
    return resource.filterset_class.base_filters


def _context_arguments(resource: Resource) -> Arguments:
    described = resource.context_parameters.parameters if resource.context_parameters else {}
    return {name: _optional(_text(name), description) for name, description in described.items()}


def _of(resource: Resource) -> str:
    return type_name(resource.serializer_class)


def _typed_filters(filters: Mapping[str, ResourceFilter], of: str) -> dict[str, tuple[Any, str | None]]:
    """What GraphQL takes for each filter, by name: its type and description. of: as for _typed.

    An id is a list of ids, and has its operators in an argument of their own.
    """
    typed = {name: _typed(declared, name, of) for name, declared in filters.items()}
    if isinstance(filters.get("id"), IdFilter):
        typed[_ID_FILTER] = ID_FILTER, "To read a whole list, sort by `id` and ask for ids greater than the last one."
    return typed


def _typed(declared: ResourceFilter, name: str, of: str) -> tuple[Any, str | None]:
    """The filter's type and description. of: the prefix for the names of the input types that it needs."""
    if isinstance(declared, SearchFilter):
        return graphene.String, declared.description
    if isinstance(declared, DateFilter):
        return DATE_FILTER, None
    if isinstance(declared, ComparedFilter) and not isinstance(declared, IdFilter):
        return (AMOUNT_FILTER if isinstance(declared, AmountFilter) else NUMBER_FILTER), None
    if isinstance(declared, ObjectFilter):
        return _members_type(
            declared, name, f"{of}{capfirst(camel(name))}"
        ), "One related row meets all given conditions."
    if isinstance(declared, OneTextFilter):
        return _text(name), None
    if isinstance(declared, TextFilter) and declared.nullable:
        return graphene.List(_text(name)), "One of these; null, alone or in the list, finds rows without a value."
    if isinstance(declared, TextFilter | IdFilter):
        return _list_of(_text(name)), "One of these."
    return graphene.Boolean, None


def _text(name: str) -> Any:
    return graphene.ID if is_id(name) else graphene.String


@cache
def _conditions(resource: Resource) -> type[graphene.InputObjectType]:
    """The resource's filters as one input object, for `and` and `or`."""
    members = _input_fields(_filters(resource), _of(resource)) | {
        name: graphene.InputField(partial(_again, resource), description=description)
        for name, description in _JOINED.items()
    }
    about = f"Conditions on {resource.plural.replace('_', ' ')}. All of them must match."
    return _input(f"{_of(resource)}Filter", about, members)


@cache
def _members_type(declared: ObjectFilter, name: str, of: str) -> type[graphene.InputObjectType]:
    """The members of the filter of that name as one input object."""
    about = f"Conditions on {name}, all of which hold of one and the same."
    return _input(f"{of}Filter", about, _input_fields(declared.members, of))


def _input_fields(filters: Mapping[str, ResourceFilter], of: str) -> dict[str, graphene.InputField]:
    typed = _typed_filters(filters, of).items()
    return {name: graphene.InputField(type_, description=description) for name, (type_, description) in typed}


def _again(resource: Resource) -> graphene.List:
    return _list_of(_conditions(resource))


def _list_of(type_: Any) -> graphene.List:
    return graphene.List(graphene.NonNull(type_))


def _optional(type_: Any, description: str | None) -> graphene.Argument:
    return graphene.Argument(type_, description=description)


def _input(name: str, description: str, members: Mapping[str, Any]) -> type[graphene.InputObjectType]:
    return type(name, (graphene.InputObjectType,), {**members, "Meta": {"name": name, "description": description}})


def _compared(name: str, description: str, scalar: Any, operators: Mapping[str, str]) -> type[graphene.InputObjectType]:
    one = {operator: graphene.InputField(scalar, description=text) for operator, text in operators.items()}
    several = {operator: graphene.InputField(_list_of(scalar), description=text) for operator, text in _AMONG.items()}
    return _input(name, f"Conditions on {description}. All of them must match.", {**one, **several})


DATE_FILTER = _compared("DateFilter", "a date and time", DateTime, {**_EQUAL, **_LATER})
AMOUNT_FILTER = _compared("AmountFilter", "an amount, in major units", Amount, {**_EQUAL, **_GREATER})
NUMBER_FILTER = _compared("NumberFilter", "a whole number", graphene.Int, {**_EQUAL, **_GREATER})
ID_FILTER = _input(
    "IdFilter",
    "Conditions on an id. All of them must match.",
    {
        **{
            name: graphene.InputField(graphene.ID, description=said)
            for name, said in {"ne": _EQUAL["ne"], **_GREATER}.items()
        },
        "nin": graphene.InputField(_list_of(graphene.ID), description=_AMONG["nin"]),
    },
)
