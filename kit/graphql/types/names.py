"""Names: snake_case in REST and in Python, camelCase in GraphQL. One rule, used both ways."""

from collections.abc import Mapping
from functools import cache
from keyword import iskeyword
from typing import Any

from graphene.utils.str_converters import to_camel_case


@cache
def camel(name: str) -> str:
    """`parent_category_id` as `parentCategoryId`."""
    return str(to_camel_case(name))


def is_id(name: str) -> bool:
    """Whether values of that name are ids, GraphQL's `ID`."""
    return name == "id" or name.endswith("_id")


def attributes(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members as attributes of a graphene class. One that is a keyword of Python, `return`, becomes `return_`."""
    for name in filter(iskeyword, members):
        members[name].name = name
    return {f"{name}_" if iskeyword(name) else name: member for name, member in members.items()}
