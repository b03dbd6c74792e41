"""The parameters of a route in the OpenAPI document."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from kit.query.paging import MAX_LIMIT
from kit.reads.filters.filters import (
    ComparedFilter,
    DateFilter,
    ObjectFilter,
    OneTextFilter,
    ResourceFilter,
    SearchFilter,
)
from kit.reads.filters.id_filter import IdFilter
from kit.rest.reads import List, ReadEndpoint

_TEXT = {"type": "string"}
_OF_IDS = {
    "$gt": "Ids greater than this one; with `order=id`, the rows after the last one of a page.",
    "$gte": "Ids greater than or equal to this one.",
    "$lt": "Ids less than this one.",
    "$lte": "Ids less than or equal to this one.",
    "$ne": "All ids but this one.",
    "$nin": "All ids but these.",
}
"""The operators of ids that mean neither equality nor membership."""
_FLAG = {"type": "string", "enum": ["true", "false"]}

FIELDS = {
    "in": "query",
    "name": "fields",
    "schema": _TEXT,
    "description": "Names to select: `a,b` replaces the defaults, `+a` adds, `-a` removes, `*relation`.",
}
LOCALE = {
    "in": "header",
    "name": "x-medusa-locale",
    "schema": _TEXT,
    "description": "Accepted and without effect: the shop has one language.",
}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "description": (
        "The work of one key is done once; a repeated request gets the first one's answer for 24 hours. "
        "Callers who are not signed in need at least 20 characters."
    ),
}


def in_path(path: str) -> list[str]:
    """The names of a path's variables."""
    return re.findall(r"{(\w+)}", path)


def path(name: str) -> dict[str, Any]:
    """A variable of the path."""
    return {"in": "path", "name": name, "required": True, "schema": {"type": "string", "minLength": 1}}


def of_one(view: ReadEndpoint, offered: Collection[str]) -> list[dict[str, Any]]:
    """Of `fields`, the flags that widen relations, and what computed fields depend on, those that are offered."""
    widening = view.resource.widening
    described = {name: _flag(name, relation) for name, relation in widening.items()}
    if view.resource.context_parameters is not None:
        described |= {
            name: _query(name, _TEXT, said) for name, said in view.resource.context_parameters.parameters.items()
        }
    described |= {name: _query(name, _TEXT, said) for name, said in view.own_parameters.items()}
    return [FIELDS if name == "fields" else described[name] for name in offered]


def of_action(said: Mapping[str, str]) -> list[dict[str, Any]]:
    """Of an action that reads no resource, by name with their descriptions."""
    return [_query(name, _TEXT, about) for name, about in said.items()]


def of_list(view: List) -> list[dict[str, Any]]:
    """Everything a list takes."""
    resource = view.resource
    filters = resource.filterset_class.base_filters.items()
    return [
        *of_one(view, resource.parameters_of_one),
        _query("limit", {"type": "integer", "minimum": 0, "maximum": MAX_LIMIT, "default": resource.default_limit}),
        _query("offset", {"type": "integer", "minimum": 0, "default": 0}),
        _query("order", _order(resource.orders), "`-` sorts in descending order."),
        _query("with_deleted", _FLAG, "Include soft-deleted rows, unless they are hidden for another reason."),
        *(each for name, declared in filters for each in _parameters(name, declared)),
        *(_joined_parameter(name) for name in ("$and", "$or")),
    ]


def _order(orders: Collection[str]) -> dict[str, Any]:
    """The values of `order`, each with a name: generators would give `title` and `-title` the same one.

    Likewise `parent_category_id` and `parent_category.id`; the latter is ID_OF_PARENT_CATEGORY here.
    """
    ascending = sorted(orders)
    members = ["_of_".join(reversed(name.split("."))).upper() for name in ascending]
    return {
        "type": "string",
        "enum": [*ascending, *(f"-{name}" for name in ascending)],
        "x-enum-varnames": [*members, *(f"{member}_DESCENDING" for member in members)],
    }


def _query(name: str, schema: dict[str, Any], description: str = "", **more: Any) -> dict[str, Any]:
    described = {"description": description} if description else {}
    return {"in": "query", "name": name, "schema": schema, **described, **more}


def _flag(name: str, relation: str) -> dict[str, Any]:
    return _query(name, _FLAG, f"Extends `{relation}`, where selected, to the whole chain or tree.")


def _parameters(name: str, declared: ResourceFilter) -> Iterator[dict[str, Any]]:
    """The filter's parameters. An id has one for each operator, since no style fits a text, a list and an object."""
    yield _filter(name, declared)
    if isinstance(declared, IdFilter):
        for operator, described in _OF_IDS.items():
            several = {"type": "array", "items": _TEXT, "minItems": 1}
            yield _query(f"{name}[{operator}]", several if operator == "$nin" else _TEXT, described)


def _filter(name: str, declared: ResourceFilter) -> dict[str, Any]:
    if isinstance(declared, SearchFilter):
        return _query(name, _TEXT, declared.description)
    if isinstance(declared, ComparedFilter) and not isinstance(declared, IdFilter):
        one = declared.openapi_schema
        several = {"type": "array", "items": one, "minItems": 1}
        operators = {
            **dict.fromkeys(("$gt", "$gte", "$lt", "$lte", "$eq", "$ne"), one),
            **dict.fromkeys(("$in", "$nin"), several),
        }
        bare = "date or moment" if isinstance(declared, DateFilter) else "number"
        return _object(name, operators, f"`{name}[$gte]=…`; a bare {bare} means equality.")
    if isinstance(declared, ObjectFilter):
        return _object(name, _member_schemas(declared), "One related row meets all given conditions.")
    item = declared.openapi_schema
    if isinstance(declared, OneTextFilter) and declared.is_required:
        return _query(name, item, required=True)
    if not declared.takes_list:
        return _query(name, item)
    return _query(name, _one_or_many(item), style="form", explode=True)


def _member_schemas(declared: ObjectFilter) -> dict[str, Any]:
    """The members of an object; those of nested objects are written in brackets, `variants[options][value]=L`."""
    return {
        name: _object_schema(_member_schemas(each)) if isinstance(each, ObjectFilter) else _value(each)
        for name, each in declared.members.items()
    }


def _value(declared: ResourceFilter) -> dict[str, Any]:
    item = declared.openapi_schema
    return _one_or_many(item) if declared.takes_list else item


def _object(name: str, properties: dict[str, Any], description: str) -> dict[str, Any]:
    # "Try it out" starts with the example: no condition, rather than all of them at once.
    return _query(name, _object_schema(properties), description, style="deepObject", explode=True, example={})


def _object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _one_or_many(item: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def _joined_parameter(name: str) -> dict[str, Any]:
    """OpenAPI has no style for a list of objects, so the description explains the bracket grammar."""
    spelled = (
        f"`{name}[0][name]=a&{name}[1][handle]=b`: each object takes the route's filters, joined by {name[1:].upper()}."
    )
    return _query(name, {"type": "array", "items": {"type": "object"}, "minItems": 1}, spelled)
