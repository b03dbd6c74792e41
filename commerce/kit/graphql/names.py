"""Names: snake_case in REST and in Python, camelCase in GraphQL. One rule, used both ways."""

from functools import cache

from graphene.utils.str_converters import to_camel_case


@cache
def camel(name: str) -> str:
    """`parent_category_id` as `parentCategoryId`."""
    return str(to_camel_case(name))


def is_id(name: str) -> bool:
    """Whether values of that name are ids, GraphQL's `ID`."""
    return name == "id" or name.endswith("_id")
