"""Documents as tests write them."""

from typing import Any

import orjson

from kit.graphql.types.names import camel
from kit.query.selection import Selection
from kit.reads.resources import Resource


def members(selection: Selection) -> str:
    """A selection set whose answer has REST's names: `id created_at: createdAt type: type { id }`."""
    scalars = [_renamed(name) for name in selection.scalars]
    relations = [f"{_renamed(name)} {{ {members(below)} }}" for name, below in selection.relations]
    return " ".join([*scalars, *relations])


def page(resource: Resource, field: str, arguments: str, fields: str | None) -> str:
    """A list, reported as REST's envelope. `fields` as REST takes it."""
    rows = f"{_renamed(resource.plural)} {{ {members(resource.list_field_set.parse(fields))} }}"
    envelope = f"{rows} count estimate_count: estimateCount offset limit"
    return f"{{ {field}{arguments and f'({arguments})'} {{ {envelope} }} }}"


def one(resource: Resource, field: str, arguments: str, fields: str | None) -> str:
    """One resource under REST's name for it."""
    return f"{{ {resource.name}: {field}({arguments}) {{ {members(resource.field_set.parse(fields))} }} }}"


def literal(value: Any) -> str:
    """A text as GraphQL spells it."""
    return orjson.dumps(value).decode()


def _renamed(name: str) -> str:
    return name if camel(name) == name else f"{name}: {camel(name)}"
